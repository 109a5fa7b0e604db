# The binary interface of the shared library: the list of exported symbols, and the SONAME. (`./dev abi` compares the
# layout of the types; it needs libabigail.)
get_target_property(svs_abi_type svs TYPE)
if(NOT svs_abi_type STREQUAL "SHARED_LIBRARY" OR SVS_SANITIZE OR SVS_COVERAGE)
    message(STATUS "abi: left out, as the library is static or instrumented")
    return()
endif()
add_test(NAME abi.exports COMMAND ${CMAKE_COMMAND} "-DLIBRARY=$<TARGET_FILE:svs>" "-DNM=${CMAKE_NM}"
    "-DLIST=${CMAKE_CURRENT_LIST_DIR}/exports.txt" "-DINCLUDE=${PROJECT_SOURCE_DIR}/include"
    "-DRANKS=${PROJECT_SOURCE_DIR}/ranks/include" -P "${CMAKE_CURRENT_LIST_DIR}/exports.cmake")
svs_set_test_properties(abi.exports install 60)
add_test(NAME abi.soname COMMAND ${CMAKE_OBJDUMP} -p $<TARGET_FILE:svs>)
svs_set_test_properties(abi.soname install 60)
set_tests_properties(abi.soname PROPERTIES
    PASS_REGULAR_EXPRESSION "SONAME +libsvs\\.so\\.${PROJECT_VERSION_MAJOR}\\.${PROJECT_VERSION_MINOR}\n")

# A program of this version runs with a library of the next one, with longer structs.
if(SVS_CHECK_MODE)
    return()
endif()
set(svs_grown_dir "${PROJECT_BINARY_DIR}/tests/abi_grown")
file(GLOB svs_grown_headers "${PROJECT_SOURCE_DIR}/include/svs/*.h")
add_custom_command(OUTPUT "${svs_grown_dir}/include/svs/graph.h"
    COMMAND ${CMAKE_COMMAND} "-DINCLUDE=${PROJECT_SOURCE_DIR}/include" "-DTO=${svs_grown_dir}/include"
        -P "${CMAKE_CURRENT_LIST_DIR}/grown.cmake"
    DEPENDS ${svs_grown_headers} "${CMAKE_CURRENT_LIST_DIR}/grown.cmake" VERBATIM)
svs_core_sources(svs_grown_sources)
add_library(svs_grown SHARED ${svs_grown_sources} "${svs_grown_dir}/include/svs/graph.h")
target_include_directories(svs_grown BEFORE PRIVATE "${svs_grown_dir}/include")
# Joined and not optimised: one program looks at it once.
svs_join(svs_grown)
target_compile_options(svs_grown PRIVATE -O0 -g0)
svs_configure_library(svs_grown PRIVATE)
target_link_options(svs_grown PRIVATE "-Wl,--version-script=${PROJECT_BINARY_DIR}/svs.map")
set_target_properties(svs_grown PROPERTIES OUTPUT_NAME svs C_VISIBILITY_PRESET hidden
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LIBRARY_OUTPUT_DIRECTORY "${svs_grown_dir}")
add_executable(abi_older abi/older.c)
target_compile_definitions(abi_older PRIVATE _GNU_SOURCE)
target_link_libraries(abi_older PRIVATE svs ${CMAKE_DL_LIBS})
set_target_properties(abi_older PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
target_link_options(abi_older PRIVATE "-Wl,--enable-new-dtags")
add_dependencies(abi_older svs_grown)
add_test(NAME abi.older_program COMMAND abi_older libsvs)
add_test(NAME abi.older_program_newer_library COMMAND abi_older abi_grown)
foreach(test IN ITEMS abi.older_program abi.older_program_newer_library)
    svs_set_test_properties(${test} install 60)
endforeach()
set_property(TEST abi.older_program_newer_library APPEND PROPERTY ENVIRONMENT "LD_LIBRARY_PATH=${svs_grown_dir}")
