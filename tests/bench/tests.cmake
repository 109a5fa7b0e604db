# The benchmarks that answer for async-finish: what rows they print, by small runs. No time is judged here.
if(NOT TARGET bench_spawn)
    return()
endif()

set(bench_expect "${PROJECT_SOURCE_DIR}/cmake/expect.cmake")

# bench_test(name status output error command...): output and error are regular expressions.
function(bench_test name status output error)
    add_test(NAME bench.${name} COMMAND ${CMAKE_COMMAND}
        "-DSTATUS=${status}" "-DOUTPUT=${output}" "-DERROR=${error}" -P "${bench_expect}" -- ${ARGN})
    svs_set_test_properties(bench.${name} bench 120)
endfunction()

if(TARGET bench_tripuzzle)
    bench_test(tripuzzle 0 "ratio_serial=[^\n]*verified=yes\n.*solutions=1550 verified=yes" "^(round [12] of 2: [^\n]*: [0-9.]+ s\n)+$"
        $<TARGET_FILE_DIR:tripuzzle>/bench_tripuzzle --rows 5 --rounds 2 --transports local)
endif()

set(number "-?[0-9]+\\.[0-9]+")
set(small $<TARGET_FILE:bench_spawn> --rounds 2 --fib 18 --queens 7 --peer-fib 12 --peer-queens 5 --many 3)

# Rows of both programs, by both calls under both policies, in this order; only fib has a row with `many`.
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

# Student's t, against printed tables.
add_executable(bench_student "${CMAKE_CURRENT_LIST_DIR}/student.c" "${PROJECT_SOURCE_DIR}/bench/stealtree_student.c")
target_link_libraries(bench_student PRIVATE bench_common svs_cases)
set_target_properties(bench_student PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
add_test(NAME bench.student COMMAND bench_student)
svs_set_test_properties(bench.student bench 60)

set(stealtree $<TARGET_FILE:bench_stealtree> --quick)
get_property(stealtree_programs GLOBAL PROPERTY CILK_PROGRAMS)
foreach(program IN LISTS stealtree_programs)
    set(figure_4 "")
    set(figure_5 "")
    foreach(policy IN ITEMS help-first work-first)
        string(APPEND figure_4 "\nbench=stealtree figure=4 program=${program} policy=${policy} threads=2 runs=2 ratio=${number} "
            "ci99=${number} upper99=${number} time=cpu wall_ratio=${number} wall_ci99=${number} cpu_ms=${number} steals=${number}")
        foreach(workers IN ITEMS 1 12)
            string(APPEND figure_5 "\nbench=stealtree figure=5 program=${program} policy=${policy} workers=${workers} "
                "kb_worker=${number} kb_worker_deviation=${number} kb_worker_formula=${number} steals_worker=${number} runs=1")
        endforeach()
    endforeach()
    bench_test(stealtree.4.${program} 0 "${figure_4}\n$" "^$" ${stealtree} --figure 4 --runs 2 --threads 2 --program ${program})
    bench_test(stealtree.5.${program} 0 "${figure_5}\n$" "^$" ${stealtree} --figure 5 --workers 1,12 --program ${program})
endforeach()

# An iteration's row for each policy, of both programs; nothing is kept for the first iteration.
foreach(policy IN ITEMS help-first work-first)
    set(figure_10 "")
    foreach(program IN ITEMS heat skew)
        foreach(iteration IN ITEMS 1 2 3)
            set(kept "[0-9]+")
            if(iteration EQUAL 1)
                set(kept 0)
            endif()
            string(APPEND figure_10 "\nbench=stealtree figure=10 program=${program} policy=${policy} workers=3 "
                "iteration=${iteration} steals=[0-9]+ kept=${kept} fragments=[0-9]+ kb_worker=${number} "
                "kb_worker_enumerated=${number} cpu_ms=${number} wall_ms=${number} plain_steals=[0-9]+ plain_cpu_ms=${number} "
                "plain_wall_ms=${number} tasks=[0-9]+")
        endforeach()
    endforeach()
    bench_test(stealtree.10.${policy} 0 "${figure_10}\n$" "^$"
        ${stealtree} --figure 10 --policy ${policy} --keepers 3 --iterations 3 --leaves 512 --leaf 500)
endforeach()

find_program(VALGRIND valgrind)
if(VALGRIND)
    bench_test(stealtree.instructions 0
        "policy=help-first call=typed instructions_async=[1-9][0-9]*\\.[0-9]+ instructions_async_traced=[1-9]" "^$"
        ${stealtree} --instructions --figure 4 --program fib --runs 2)
endif()
bench_test(stealtree.unknown 64 "^$" "'6' is not one of 4, 5, 10" ${stealtree} --figure 6)

# Race checks: what this build's compiler made is there; the rest may be. Edges, of the same queries by all three ways, of one run.
find_program(SVS_BENCH_PYTHON python3)
mark_as_advanced(SVS_BENCH_PYTHON)
if(TARGET bench_racecheck AND SVS_BENCH_PYTHON)
    set(racecheck "${CMAKE_BINARY_DIR}/bin/bench_racecheck" --quick)
    set(compiler clang)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        set(compiler gcc)
    endif()
    set(maybe "(-|${number})")
    foreach(program IN ITEMS matmul heat fib lu cilk-heat)
        bench_test(racecheck.slowdown.${program} 0
            "\nbench=racecheck program=${program} compiler=${compiler} policy=work-first threads=2 runs=2 plain_s=${number} ours_s=${number} gcc_tsan_s=${maybe} clang_tsan_s=${maybe} plain_mb=${number} ours_mb=${number} gcc_tsan_mb=${maybe} clang_tsan_mb=${maybe} slowdown=${maybe} "
            "^$" ${racecheck} --slowdown --program ${program} --policy work-first --runs 2)
    endforeach()
    foreach(program IN ITEMS allqueens heat lu matmul nbody)
        set(figure_9 "")
        foreach(policy IN ITEMS help-first work-first)
            foreach(workers IN ITEMS 1 6)
                string(APPEND figure_9 "\nbench=racecheck figure=9 program=${program} policy=${policy} workers=${workers} "
                    "walk_edges=[1-9][0-9]* stealtree_edges=[1-9][0-9]* label_edges=[0-9]+ reduction_pct=${number} "
                    "label_reduction_pct=${number} queries=[1-9][0-9]* phases=[1-9][0-9]* accesses=[1-9][0-9]* lost=0 merged=0 mb=${number}")
            endforeach()
        endforeach()
        bench_test(racecheck.9.${program} 0 "${figure_9}\n$" "^$" ${racecheck} --figure 9 --workers 1,6 --program ${program})
    endforeach()
    bench_test(racecheck.unknown 64 "^$" "'cilk' is not one of matmul" "${CMAKE_BINARY_DIR}/bin/bench_racecheck" --program cilk)
endif()

# The map of where svs loses: a row for each contention, with what its own statistics say.
if(TARGET bench_breakeven)
    set(breakeven "")
    foreach(contention IN ITEMS "none;0" "low;4096" "middle;256" "high;32")
        list(GET contention 0 name)
        list(GET contention 1 keys)
        string(APPEND breakeven "\nbench=breakeven contention=${name} keys=${keys} objects=2 work_ns=100 threads=2 instances=[0-9]+ "
            "svs_ns=${number} mutex_ns=${number} spin_ns=${number} padded_ns=${number} best_lock=(mutex|spin|padded) ratio=${number} "
            "ratio_q1=${number} ratio_q3=${number} runs=2 deferrals_instance=${number} width=[1-9][0-9]*\\.[0-9]")
    endforeach()
    bench_test(breakeven 0 "${breakeven}\n$" "^$"
        $<TARGET_FILE:bench_breakeven> --repeat 2 --run 200 --work 100 --objects 2 --threads 2)
endif()

# Rows of ranks, without MPI.
if(TARGET ranks_bench_local)
    set(ranks_rates "mops_rank=${number} us_op=${number} peak_mb=${number}")
    bench_test(ranks.stream 0
        "bench=ranks work=insert engine=svs transport=local ranks=2 bytes=1024 ${ranks_rates} count=5000 rounds=2" ""
        ${CMAKE_COMMAND} -E env SVS_TRANSPORT=local:2 $<TARGET_FILE:ranks_bench_local>
        --work insert --bytes 1024 --count 5000 --rounds 2)
    bench_test(ranks.fiber 0 "kind=fifo ns=${number}.*kind=stack ns=${number}" ""
        ${CMAKE_COMMAND} -E env SVS_TRANSPORT=local:1 $<TARGET_FILE:ranks_bench_local> --work fiber --rounds 1)
    bench_test(ranks.unknown 1 "^$" "there is no work nothing" $<TARGET_FILE:ranks_bench_local> --work nothing)
endif()
