# Fuzz targets. Each is a test that replays its corpus, under whatever compiler and sanitizer is chosen; and where there is
# a clang, `fuzz_NAME`, which is not built with the rest, is the same for libFuzzer, with AddressSanitizer and UBSan.
find_program(SVS_FUZZ_CLANG clang)
mark_as_advanced(SVS_FUZZ_CLANG)

function(svs_add_fuzz_target name)
    set(folder "${PROJECT_SOURCE_DIR}/tests/fuzz")
    svs_add_test(NAME fuzz_${name} LABEL property SOURCES ${name}.c replay.c ARGS "${folder}/corpus/${name}")
    if(NOT SVS_FUZZ_CLANG)
        return()
    endif()
    get_target_property(sources svs SOURCES)
    set(program "${PROJECT_BINARY_DIR}/bin/fuzz_${name}")
    # The library's sources all over again: libFuzzer steers by instrumentation that the rest of the build does not have.
    add_custom_target(fuzz_${name}
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/bin"
        COMMAND "${SVS_FUZZ_CLANG}" -std=c11 -O1 -g -D_GNU_SOURCE -pthread -fsanitize=fuzzer,address,undefined
            -fno-sanitize-recover=undefined "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_BINARY_DIR}/include"
            "-I${PROJECT_SOURCE_DIR}/src" -isystem "${SVS_XXHASH_INCLUDE_DIR}"
            ${sources} "${folder}/${name}.c" -o "${program}"
        DEPENDS ${sources} "${folder}/${name}.c"
        COMMENT "Building ${program}"
        VERBATIM)
endfunction()

svs_add_fuzz_target(trace)
