# Fuzz targets. Each is a test that replays its corpus, under whatever compiler and sanitizer is chosen; and where there is
# a clang, `fuzz_NAME`, which is not built with the rest, is the same for libFuzzer, with AddressSanitizer and UBSan:
#
#     ninja fuzz_NAME && bin/fuzz_NAME -max_total_time=60 -close_fd_mask=3 /tmp/found ../tests/fuzz/corpus/NAME
find_program(SVS_FUZZ_CLANG clang)
mark_as_advanced(SVS_FUZZ_CLANG)

# svs_add_fuzz_target(NAME [SOURCES ...]): SOURCES, of programs beside the library, from the project's top.
function(svs_add_fuzz_target name)
    cmake_parse_arguments(PARSE_ARGV 1 FUZZ "" "" "SOURCES")
    set(folder "${PROJECT_SOURCE_DIR}/tests/fuzz")
    set(includes "${PROJECT_SOURCE_DIR}/examples" "${PROJECT_SOURCE_DIR}/examples/quakesquad" "${PROJECT_SOURCE_DIR}/tools")
    list(TRANSFORM FUZZ_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/")
    svs_add_test(NAME fuzz_${name} LABEL property SOURCES ${name}.c replay.c ${FUZZ_SOURCES} LIBRARIES m
        ARGS "${folder}/corpus/${name}")
    target_include_directories(test_fuzz_${name} PRIVATE ${includes})
    if(NOT SVS_FUZZ_CLANG)
        return()
    endif()
    get_target_property(sources svs SOURCES)
    list(TRANSFORM includes PREPEND "-I")
    set(program "${PROJECT_BINARY_DIR}/bin/fuzz_${name}")
    # The library's sources all over again: libFuzzer steers by instrumentation that the rest of the build does not have.
    add_custom_target(fuzz_${name}
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/bin"
        COMMAND "${SVS_FUZZ_CLANG}" -std=c11 -O1 -g -D_GNU_SOURCE -pthread -fsanitize=fuzzer,address,undefined
            -fno-sanitize-recover=undefined "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_BINARY_DIR}/include"
            "-I${PROJECT_SOURCE_DIR}/src" ${includes} -isystem "${SVS_XXHASH_INCLUDE_DIR}"
            ${sources} ${FUZZ_SOURCES} "${folder}/${name}.c" -lm -o "${program}"
        DEPENDS ${sources} ${FUZZ_SOURCES} "${folder}/${name}.c"
        COMMENT "Building ${program}"
        VERBATIM)
endfunction()

svs_add_fuzz_target(trace)
svs_add_fuzz_target(nets SOURCES examples/canneal/netlist.c examples/canneal/names.c examples/common/input.c
    examples/common/numbers.c)
svs_add_fuzz_target(fluid SOURCES examples/fluidanimate/file.c examples/fluidanimate/fluid.c examples/common/input.c)
svs_add_fuzz_target(json SOURCES tools/format.c)
svs_add_fuzz_target(options SOURCES tools/command.c examples/common/lock_table.c examples/common/padded_lock.c)
svs_add_fuzz_target(options_canneal SOURCES examples/common/lock_table.c examples/common/padded_lock.c)
svs_add_fuzz_target(options_fluid SOURCES examples/common/lock_table.c examples/common/padded_lock.c)
