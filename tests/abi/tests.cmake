# What programs are linked against: the list of symbols that the shared library exports, and the SONAME that stands for it.
# (What the types look like is compared by `./dev abi`, which needs libabigail.)
get_target_property(svs_abi_type svs TYPE)
if(NOT svs_abi_type STREQUAL "SHARED_LIBRARY" OR SVS_SANITIZE OR SVS_COVERAGE)
    message(STATUS "abi: left out, as the library is static or instrumented")
    return()
endif()
add_test(NAME abi.exports COMMAND ${CMAKE_COMMAND} "-DLIBRARY=$<TARGET_FILE:svs>" "-DNM=${CMAKE_NM}"
    "-DLIST=${CMAKE_CURRENT_LIST_DIR}/exports.txt" "-DINCLUDE=${PROJECT_SOURCE_DIR}/include"
    -P "${CMAKE_CURRENT_LIST_DIR}/exports.cmake")
svs_set_test_properties(abi.exports install 60)
add_test(NAME abi.soname COMMAND ${CMAKE_OBJDUMP} -p $<TARGET_FILE:svs>)
svs_set_test_properties(abi.soname install 60)
set_tests_properties(abi.soname PROPERTIES
    PASS_REGULAR_EXPRESSION "SONAME +libsvs\\.so\\.${PROJECT_VERSION_MAJOR}\\.${PROJECT_VERSION_MINOR}\n")
