# An outside project that compares locks with SvS is built against what tests/install has installed.
set(compare_flags "")
if(SVS_SANITIZE)
    set(compare_flags "-fsanitize=${SVS_SANITIZE}")
endif()
add_test(NAME install.compare COMMAND ${CMAKE_COMMAND}
    "-DSVS_EXAMPLE_DIR=${PROJECT_SOURCE_DIR}/examples/standalone/compare"
    "-DSVS_WORK_DIR=${PROJECT_BINARY_DIR}/tests/compare"
    "-DSVS_PREFIX=${PROJECT_BINARY_DIR}/tests/install/prefix"
    "-DSVS_FLAGS=${compare_flags}"
    "-DSVS_C_COMPILER=${CMAKE_C_COMPILER}"
    -P "${CMAKE_CURRENT_LIST_DIR}/outside.cmake")
svs_set_test_properties(install.compare install 300)
set_tests_properties(install.compare PROPERTIES FIXTURES_REQUIRED svs_installed)
