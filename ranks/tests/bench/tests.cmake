# The parts of the benchmarks' programs that need no ranks.
if(NOT TARGET bench_multipol_phylogeny)
    return()
endif()

# bench_cases(program part...): the cases of a program, with its sources ranks/bench/multipol/PROGRAM/PROGRAM_PART.c.
function(bench_cases program)
    list(TRANSFORM ARGN REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/ranks/bench/multipol/${program}/${program}_\\1.c" OUTPUT_VARIABLE parts)
    add_executable(bench_${program}_cases "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${program}.c" ${parts})
    target_link_libraries(bench_${program}_cases PRIVATE bench_common svs_cases)
    target_include_directories(bench_${program}_cases PRIVATE "${PROJECT_SOURCE_DIR}/ranks/bench")
    target_compile_definitions(bench_${program}_cases PRIVATE _GNU_SOURCE)
    set_target_properties(bench_${program}_cases PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    add_test(NAME bench.${program} COMMAND bench_${program}_cases)
    svs_set_test_properties(bench.${program} bench 60)
endfunction()
bench_cases(eigenvalue matrix bisect)
bench_cases(groebner read poly) # the text form of systems
bench_cases(phylogeny read patterns perfect binary draw check store search serial) # all but the search over ranks
if(TARGET bench_multipol_phylogeny)
    bench_test(phylogeny.absent 1 "^$" "/nowhere/a.phy:1: column 1: a file that can be opened was expected"
        $<TARGET_FILE:bench_multipol_phylogeny> --input /nowhere/a.phy)
    bench_test(phylogeny.many 1 "^$" "at most 256 patterns of characters were expected" $<TARGET_FILE:bench_multipol_phylogeny>
        --uncured --characters 257)
    bench_test(phylogeny.large 64 "^$" "species" $<TARGET_FILE:bench_multipol_phylogeny> --species 65)
endif()
