# The race check's library from inside: its inputs, its hooks, its reports. Whole programs are in tests/check.
if(NOT TARGET svs_check)
    return()
endif()
foreach(part IN ITEMS parse hooks accesses reports ends signals print)
    svs_add_test(NAME unit_check_${part} LABEL unit SOURCES ${part}.c LIBRARY svs::check)
    target_include_directories(test_unit_check_${part} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_compile_definitions(test_unit_check_${part} PRIVATE _GNU_SOURCE)
    # Accesses reported by hand must not decide the test's exit status.
    set_tests_properties(unit_check_${part} PROPERTIES ENVIRONMENT_MODIFICATION "SVS_CHECK_OPTIONS=set:exit=0 report=0")
endforeach()
