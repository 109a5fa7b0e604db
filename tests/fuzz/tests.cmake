# Fuzz targets. Each is a test that replays its corpus, under any compiler and sanitizer; and where clang is found,
# `fuzz_NAME`, which is not built with the rest, is the same for libFuzzer, with AddressSanitizer and UBSan. A corpus is one
# archive, unpacked into the build; docs/testing.md says how to add to it.
find_program(SVS_FUZZ_CLANG clang)
mark_as_advanced(SVS_FUZZ_CLANG)

# svs_add_fuzz_target(NAME [SOURCES ...]): SOURCES, of programs beside the library, from the project's top.
function(svs_add_fuzz_target name)
    cmake_parse_arguments(PARSE_ARGV 1 FUZZ "" "" "SOURCES")
    set(folder "${PROJECT_SOURCE_DIR}/tests/fuzz")
    set(archive "${folder}/corpus/${name}.tar.xz")
    set(corpus "${PROJECT_BINARY_DIR}/tests/corpus/${name}")
    add_custom_command(OUTPUT "${corpus}.unpacked"
        COMMAND "${CMAKE_COMMAND}" -E rm -rf "${corpus}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${corpus}"
        COMMAND "${CMAKE_COMMAND}" -E chdir "${corpus}" "${CMAKE_COMMAND}" -E tar xf "${archive}"
        COMMAND "${CMAKE_COMMAND}" -E touch "${corpus}.unpacked"
        DEPENDS "${archive}" COMMENT "Unpacking the corpus of ${name}" VERBATIM)
    list(TRANSFORM FUZZ_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/")
    svs_add_test(NAME fuzz_${name} LABEL property SOURCES ${name}.c replay.c ${FUZZ_SOURCES} LIBRARIES m ARGS "${corpus}")
    target_sources(test_fuzz_${name} PRIVATE "${corpus}.unpacked")
    target_include_directories(test_fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/examples" "${PROJECT_SOURCE_DIR}"
        "${PROJECT_SOURCE_DIR}/ranks/include" "${PROJECT_SOURCE_DIR}/ranks/src")
    target_compile_options(test_fuzz_${name} PRIVATE "-iquote${PROJECT_SOURCE_DIR}/bench" # it has a spawn.h
        "-iquote${PROJECT_SOURCE_DIR}/ranks/bench")
    if(NOT SVS_FUZZ_CLANG)
        return()
    endif()
    svs_core_sources(sources)
    set(program "${PROJECT_BINARY_DIR}/bin/fuzz_${name}")
    # The library's sources all over again: libFuzzer steers by instrumentation that the rest of the build does not have.
    add_custom_target(fuzz_${name}
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/bin"
        COMMAND "${SVS_FUZZ_CLANG}" -std=c11 -O1 -g -D_GNU_SOURCE -pthread -fsanitize=fuzzer,address,undefined
            -fno-sanitize-recover=undefined "-I${PROJECT_SOURCE_DIR}/include"
            "-I${PROJECT_SOURCE_DIR}/src" "-I${PROJECT_SOURCE_DIR}/ranks/include" "-I${PROJECT_SOURCE_DIR}/ranks/src"
            "-I${PROJECT_SOURCE_DIR}/examples" "-I${PROJECT_SOURCE_DIR}"
            "-iquote${PROJECT_SOURCE_DIR}/bench" "-iquote${PROJECT_SOURCE_DIR}/ranks/bench"
            -isystem "${SVS_XXHASH_INCLUDE_DIR}"
            ${sources} ${FUZZ_SOURCES} "${folder}/${name}.c" -lm -o "${program}"
        DEPENDS ${sources} ${FUZZ_SOURCES} "${folder}/${name}.c"
        COMMENT "Building ${program}"
        VERBATIM)
endfunction()

svs_add_fuzz_target(trace)
svs_add_fuzz_target(nets SOURCES examples/canneal/netlist.c examples/canneal/names.c examples/common/input.c
    examples/common/numbers.c)
svs_add_fuzz_target(fluid SOURCES examples/fluidanimate/file.c examples/fluidanimate/fluid.c examples/common/input.c)
svs_add_fuzz_target(records SOURCES ranks/src/ranks/channel/record.c)
svs_add_fuzz_target(dwarf SOURCES src/dpst/report/dwarf.c src/dpst/report/types.c)
svs_add_fuzz_target(polynomials SOURCES ranks/bench/multipol/groebner/groebner_read.c ranks/bench/multipol/groebner/groebner_poly.c examples/common/input.c)
svs_add_fuzz_target(bench SOURCES ranks/bench/multipol/circuit/circuit_netlist.c)
set(svs_fuzz_bench bench/common.c examples/common/input.c examples/common/numbers.c examples/common/option_table.c)
svs_add_fuzz_target(phylip SOURCES ranks/bench/multipol/phylogeny/phylogeny_read.c ${svs_fuzz_bench})
svs_add_fuzz_target(matrix SOURCES ranks/bench/multipol/eigenvalue/eigenvalue_matrix.c ${svs_fuzz_bench})
