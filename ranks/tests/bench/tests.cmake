# The parts of the benchmarks' programs that need no ranks.
if(NOT TARGET bench_multipol_phylogeny)
    return()
endif()

# The matrices of eigenvalue.
add_executable(bench_eigenvalue_cases "${CMAKE_CURRENT_LIST_DIR}/eigenvalue.c"
    "${PROJECT_SOURCE_DIR}/ranks/bench/multipol/eigenvalue_matrix.c" "${PROJECT_SOURCE_DIR}/ranks/bench/multipol/eigenvalue_bisect.c")
target_link_libraries(bench_eigenvalue_cases PRIVATE bench_common svs_cases)
target_include_directories(bench_eigenvalue_cases PRIVATE "${PROJECT_SOURCE_DIR}/ranks/bench")
target_compile_definitions(bench_eigenvalue_cases PRIVATE _GNU_SOURCE)
set_target_properties(bench_eigenvalue_cases PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
add_test(NAME bench.eigenvalue COMMAND bench_eigenvalue_cases)
svs_set_test_properties(bench.eigenvalue bench 60)

# The text form of groebner's systems.
add_executable(bench_groebner_cases "${CMAKE_CURRENT_LIST_DIR}/groebner.c"
    "${PROJECT_SOURCE_DIR}/ranks/bench/multipol/groebner_read.c" "${PROJECT_SOURCE_DIR}/ranks/bench/multipol/groebner_poly.c")
target_link_libraries(bench_groebner_cases PRIVATE bench_common svs_cases)
target_include_directories(bench_groebner_cases PRIVATE "${PROJECT_SOURCE_DIR}/ranks/bench")
target_compile_definitions(bench_groebner_cases PRIVATE _GNU_SOURCE)
set_target_properties(bench_groebner_cases PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
add_test(NAME bench.groebner COMMAND bench_groebner_cases)
svs_set_test_properties(bench.groebner bench 60)

# The parts of phylogeny: all but the search over ranks.
set(bench_phylogeny_parts read patterns perfect binary draw check store search serial)
list(TRANSFORM bench_phylogeny_parts REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/ranks/bench/multipol/phylogeny_\\1.c")
add_executable(bench_phylogeny_cases "${CMAKE_CURRENT_LIST_DIR}/phylogeny.c" ${bench_phylogeny_parts})
target_link_libraries(bench_phylogeny_cases PRIVATE bench_common svs_cases)
target_include_directories(bench_phylogeny_cases PRIVATE "${PROJECT_SOURCE_DIR}/ranks/bench")
target_compile_definitions(bench_phylogeny_cases PRIVATE _GNU_SOURCE)
set_target_properties(bench_phylogeny_cases PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
add_test(NAME bench.phylogeny COMMAND bench_phylogeny_cases)
svs_set_test_properties(bench.phylogeny bench 60)
if(TARGET bench_multipol_phylogeny)
    bench_test(phylogeny.absent 1 "^$" "/nowhere/a.phy:1: column 1: a file that can be opened was expected"
        $<TARGET_FILE:bench_multipol_phylogeny> --input /nowhere/a.phy)
    bench_test(phylogeny.many 1 "^$" "at most 256 patterns of characters were expected" $<TARGET_FILE:bench_multipol_phylogeny>
        --uncured --characters 257)
    bench_test(phylogeny.large 64 "^$" "species" $<TARGET_FILE:bench_multipol_phylogeny> --species 65)
endif()
