# Programs that are compiled with ThreadSanitizer, on the library as it is packaged: base/program.h.
if(SVS_SANITIZE OR SVS_COVERAGE OR SVS_CHECK_MODE OR NOT BUILD_SHARED_LIBS)
    message(STATUS "tests/tsan is left out: it needs a shared library without instrumentation")
    return()
endif()
foreach(compiler IN ITEMS gcc clang)
    find_program(SVS_TSAN_${compiler} ${compiler})
    if(NOT SVS_TSAN_${compiler})
        message(STATUS "tests/tsan: no ${compiler}, so nothing is built by it")
        continue()
    endif()
    add_test(NAME tsan.${compiler} COMMAND ${CMAKE_COMMAND} "-DCOMPILER=${SVS_TSAN_${compiler}}"
        "-DSOURCE=${CMAKE_CURRENT_LIST_DIR}/program.c" "-DINCLUDE=${PROJECT_SOURCE_DIR}/include" "-DLIBRARY=$<TARGET_FILE:svs>"
        "-DPROGRAM=${PROJECT_BINARY_DIR}/tests/tsan/program_${compiler}" -P "${CMAKE_CURRENT_LIST_DIR}/run.cmake")
    svs_set_test_properties(tsan.${compiler} install 300)
endforeach()
