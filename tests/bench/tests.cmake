# The benchmarks that answer for async-finish: what rows they print, by small runs. No time is judged here.
if(NOT TARGET bench_spawn)
    return()
endif()

set(bench_expect "${CMAKE_CURRENT_LIST_DIR}/../cilk/expect.cmake")

# bench_test(name status output error command...): output and error are regular expressions.
function(bench_test name status output error)
    add_test(NAME bench.${name} COMMAND ${CMAKE_COMMAND}
        "-DSTATUS=${status}" "-DOUTPUT=${output}" "-DERROR=${error}" -P "${bench_expect}" -- ${ARGN})
    svs_set_test_properties(bench.${name} bench 120)
endfunction()

set(number "-?[0-9]+\\.[0-9]+")
set(small $<TARGET_FILE:bench_spawn> --rounds 2 --fib 18 --queens 7 --peer-fib 12 --peer-queens 5 --many 3)

# Rows of both programs, by both calls under both policies, in this order; `many` is told of fib alone.
set(spawn_rows "")
foreach(program IN ITEMS "fib;18" "nqueens;7")
    list(GET program 0 name)
    list(GET program 1 size)
    set(many "")
    if(name STREQUAL "fib")
        set(many " cpu3_cpu1=${number} cpu3_spread_pct=${number}")
    endif()
    string(APPEND spawn_rows "\nbench=spawn program=${name} engine=serial n=${size} calls=[0-9]+ ns_call=${number} [^\n]*")
    foreach(policy IN ITEMS help-first work-first)
        foreach(call IN ITEMS typed generic)
            string(APPEND spawn_rows "\nbench=spawn program=${name} policy=${policy} call=${call} engine=svs n=${size} "
                "ns_spawn=${number} ns_async=${number} ns_spread_pct=${number} t1_ts=${number} t1_ts_spread_pct=${number} "
                "t1_t2=${number} cores2=${number} cpu2_cpu1=${number} cpu2_spread_pct=${number}${many} rounds=2")
        endforeach()
    endforeach()
endforeach()
bench_test(spawn.rows 0 "${spawn_rows}\n$" "" ${small} --engine svs)

get_target_property(spawn_definitions bench_spawn COMPILE_DEFINITIONS)
foreach(peer IN ITEMS "OPENMP;openmp;g?omp" "TBB;tbb;tbb")
    list(GET peer 0 macro)
    list(GET peer 1 option)
    list(GET peer 2 engine)
    if("BENCH_${macro}=1" IN_LIST spawn_definitions)
        bench_test(spawn.${option} 0
            "program=fib [^\n]* engine=${engine} n=12 ns_spawn=${number} .*program=nqueens [^\n]* engine=${engine} n=5 ns_spawn=" ""
            ${small} --engine ${option})
    endif()
endforeach()

bench_test(spawn.program 0 "\n\nbench=spawn program=nqueens engine=serial " "" ${small} --engine svs --program nqueens)
bench_test(spawn.unknown 64 "^$" "'cilk' is not one of svs, openmp, tbb" $<TARGET_FILE:bench_spawn> --engine cilk)
