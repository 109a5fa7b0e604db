# What rows the benchmarks print, by small runs. No time is judged here.
if(NOT TARGET bench_stealtree)
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
# Cases of Google Benchmark.
if(TARGET bench_shim)
    set(small $<TARGET_FILE:bench_spawn> --benchmark_repetitions=2 --fib 18 --queens 7 --peer-fib 12 --peer-queens 5 --many 3)

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
    bench_test(spawn.rows 0 "${spawn_rows}\n$" "" ${small} "--benchmark_filter=engine:(svs|serial/n:(18|7))")

    get_target_property(spawn_definitions bench_spawn COMPILE_DEFINITIONS)
    foreach(peer IN ITEMS "OPENMP;g?omp" "TBB;tbb")
        list(GET peer 0 macro)
        list(GET peer 1 engine)
        if("BENCH_${macro}=1" IN_LIST spawn_definitions)
            string(TOLOWER ${macro} option)
            bench_test(spawn.${option} 0
                "program=fib [^\n]* engine=${engine} n=12 ns_spawn=${number} .*program=nqueens [^\n]* engine=${engine} n=5 ns_spawn=" ""
                ${small} "--benchmark_filter=engine:(serial|${engine})")
        endif()
    endforeach()

    bench_test(spawn.program 0 "\n\nbench=spawn program=nqueens engine=serial " "" ${small} "--benchmark_filter=program:nqueens.*engine:(svs|serial/n:7)")
    bench_test(spawn.unknown 64 "^$" "no case is chosen by --benchmark_filter=engine:cilk" ${small} --benchmark_filter=engine:cilk)

    # bench_row_test(program[.part] rows options...): one repetition prints these rows, in this order; # stands for a figure.
    function(bench_row_test name rows)
        string(REPLACE "=#" "=[-.0-9]+" rows "${rows}")
        string(REGEX REPLACE "[.].*" "" program "${name}")
        bench_test(${name}.row 0 "\n${rows}\n" "" $<TARGET_FILE:bench_${program}> --benchmark_repetitions=1 ${ARGN})
    endfunction()
    get_target_property(dispatch_definitions bench_dispatch COMPILE_DEFINITIONS)
    set(dispatch_figures "cpu_ns=# wall_ns=# above_serial_cpu_ns=# ratio_serial=# cpu_spread_pct=# wall_spread_pct=# wall_of_one_thread=#")
    set(dispatch_case "objects=2 K=100 work_ns=0 threads=1")
    set(dispatch --objects 2 --keys 100 --work 0 --threads 1 --cells 9 --benchmark_min_time=0)
    set(dispatch_rows "bench=dispatch engine=serial algorithm=none cells=0 ${dispatch_case} ${dispatch_figures}")
    foreach(peer IN ITEMS mutex tbb)
        if(peer STREQUAL "mutex" OR "BENCH_TBB=1" IN_LIST dispatch_definitions)
            string(APPEND dispatch_rows "\nbench=dispatch engine=${peer} algorithm=none cells=0 ${dispatch_case} ${dispatch_figures}")
        endif()
    endforeach()
    foreach(algorithm IN ITEMS default staged progressive traced lent)
        string(APPEND dispatch_rows "\nbench=dispatch engine=svs algorithm=${algorithm} cells=9 ${dispatch_case} ${dispatch_figures} "
            "share_min=# stages=# width_mean=# deferrals=#")
    endforeach()
    bench_row_test(dispatch "${dispatch_rows}" ${dispatch} --ways)
    bench_row_test(frame "bench=frame rate=1000 items=10 threads=2 frames=5 late=# away_median_us=# away_p99_us=# away_worst_us=#"
        --rate 1000 --items 10 --frames 5)
    bench_row_test(links "bench=links tree=20k K=2 threads=1 set=leaf examine=0 cells=9 assign_ns=# assign_spread_pct=# store_ns=# width=# overhead_ns=# overhead_cpu_ns=# zerosig_ns=# false_positives_ns=# overhead_spread_pct=# work_ns=0 thesis_assign_ns=7220 thesis_scheduling_ns=2810 thesis_false_positives_ns=1260 thesis_overhead_ns=11290 thesis_width=140"
        --work 0 --threads 1 --benchmark_filter=tree:20k/K:2/threads:1/examine:0)
    bench_row_test(links.life "bench=links threads=1 objects=16 life_ns=# life_spread_pct=# life_cpu_ns=#"
        --threads 1 --benchmark_filter=links/life)
    bench_row_test(mesh "bench=mesh threads=2 intervals=# runs=# instance_cpu_ns=# ratio_rounds=#")
    set(queues_figures "wall_ns=# wall_spread_pct=# cpu_ns=# width=# wall_ratio=# cpu_ratio=#")
    bench_row_test(queues "bench=queues engine=reach threads=2 queues=64 people=20 moves=2000 ${queues_figures}\nbench=queues engine=scanned threads=2 queues=64 people=20 moves=2000 ${queues_figures}"
        --moves 2000 --threads 2)
    set(sends_figures "wall_ns=# wall_spread_pct=# cpu_ns=# items=[1-9][0-9]* ratio_serial=# ratio_locks=#")
    foreach(program IN ITEMS "wavefront;20" "flow;6" "search;300" "self;10")
        list(GET program 0 name)
        list(GET program 1 size)
        set(sends_rows "")
        foreach(engine IN ITEMS "serial 1" "svs 2" "locks 2" "tbb 2")
            if(NOT engine STREQUAL "tbb 2" OR "BENCH_TBB=1" IN_LIST dispatch_definitions)
                string(REGEX REPLACE "(.*) (.)" "engine=\\1 size=${size} threads=\\2" engine "${engine}")
                string(APPEND sends_rows "\nbench=sends program=${name} ${engine} ${sends_figures}")
            endif()
        endforeach()
        string(SUBSTRING "${sends_rows}" 1 -1 sends_rows)
        string(REPLACE "ratio_locks=#" "ratio_locks=[.0-9na]+" sends_rows "${sends_rows}")
        bench_row_test(sends.${name} "${sends_rows}" --threads 2 --wavefront 20 --flow 6 --search 300 --counts 10
            --benchmark_filter=program:${name})
    endforeach()
    bench_row_test(sources "bench=sources at_once=16 threads=2 items=5000 cpu_ratio=# cancel_cpu_us=#" --items 5000 --at-once 16)
    bench_row_test(stall "bench=stall threads=2 bodies=3 frames=# worst_ms=# longest_body_ms=#" --body 20 --bodies 3)
    set(tick_figures "wall_ns=# wall_spread_pct=# tick_p50_us=# tick_p99_us=# p99_ratio=# ratio_serial=#")
    bench_row_test(tick "bench=tick engine=serial entities=200 work=0 threads=1 ${tick_figures}\nbench=tick engine=svs entities=200 work=0 threads=2 ${tick_figures}"
        --entities 200 --side 8 --ticks 5 --work 0 --threads 2)
    bench_row_test(wakeup "bench=wakeup engine=svs threads=2 tries=1 woken=[01] median_us=[-.0-9na]+ p99_us=[-.0-9na]+ first_median_us=# first_p99_us=# idle_threads=8 idle_s=1 idle_cpu_s=#"
        --idle 1 --threads 2 --benchmark_filter=engine:svs)
    bench_row_test(walks "bench=walks engine=serial nodes=1000 work=0 wall_ns=# wall_spread_pct=#\nbench=walks engine=svs nodes=1000 work=0 threads=2 wall_ns=# wall_spread_pct=# cpu_ns=# quiet_ns=# width=# ratio_serial=# ratio_one=1.000 quiet_ratio_one=1.000"
        --nodes 1000 --work 0 --threads 2)
    bench_row_test(width "bench=width bits=64 threads=1 objects=2000 stages=# best=# ratio=# width=# best_width=# wall_ns=#"
        --objects 2000 --threads 1)

    # The filter chooses cases, of the measured ones and of the counted ones; what a row needs beyond is nan.
    set(dispatch $<TARGET_FILE:bench_dispatch> ${dispatch} --benchmark_repetitions=2)
    bench_test(filter 0 "\n\nbench=dispatch engine=mutex [^\n]* ratio_serial=nan [^\n]*\n$" ""
        ${dispatch} --benchmark_filter=engine:mutex)
    bench_test(list 0 "^dispatch/engine:svs/algorithm:default/[^\n]*\ndispatch/engine:svs/algorithm:staged/[^\n]*\n$" "^$"
        ${dispatch} --benchmark_list_tests --benchmark_filter=-serial|mutex|tbb|progressive)
    bench_test(filter.unknown 64 "^$" "no case is chosen by --benchmark_filter=nothing: --benchmark_list_tests names all"
        ${dispatch} --benchmark_filter=nothing)
    bench_test(filter.malformed 64 "^$" "no case is chosen by --benchmark_filter=\\[" ${dispatch} "--benchmark_filter=[")
    bench_test(option.unknown 64 "^$" "unrecognized option '--fast'" ${dispatch} --fast)
    bench_test(option.google.unknown 64 "^$" "does not know the option '--benchmark_fast=1'" ${dispatch} --benchmark_fast=1)
    bench_test(option.google.value 64 "^$" "the option '--benchmark_repetitions=many', or not its value"
        ${dispatch} --benchmark_repetitions=many)
    bench_test(option.google.format 64 "^$" "is not one of console, json and csv" ${dispatch} --benchmark_format=xml)

    # Counts of the chosen cases alone; also those of a trace, which times what it records, are the same in each run.
    find_program(VALGRIND valgrind)
    if(VALGRIND)
        set(counted --keys 10000 --objects 1 --work 0 --threads 1 --cells 16 --ways --benchmark_repetitions=1)
        bench_test(instructions.filter 0
            "\n\nbench=dispatch engine=mutex [^\n]* threads=1 instructions=[0-9.]+\nbench=dispatch engine=mutex [^\n]* cpu_ns=[^\n]*\n$" ""
            $<TARGET_FILE:bench_dispatch> ${counted} --instructions --benchmark_filter=engine:mutex)
        add_test(NAME bench.instructions.repeat COMMAND ${CMAKE_COMMAND} -P "${CMAKE_CURRENT_LIST_DIR}/repeats.cmake"
            $<TARGET_FILE:bench_dispatch> ${counted} --benchmark_filter=traced)
        svs_set_test_properties(bench.instructions.repeat bench 240)
    endif()

    # JSON, of the same cases as the rows; and a line of list.txt for each case, and a case for each line.
    add_test(NAME bench.json COMMAND ${CMAKE_COMMAND} -P "${CMAKE_CURRENT_LIST_DIR}/json.cmake" ${dispatch}
        "--benchmark_filter=-staged|progressive")
    svs_set_test_properties(bench.json bench 120)
    set(bench_told "")
    foreach(name IN ITEMS dispatch frame links mesh queues sends sources spawn stall tick wakeup walks width)
        list(APPEND bench_told "$<TARGET_FILE:bench_${name}>")
    endforeach()
    add_test(NAME bench.list.told COMMAND ${CMAKE_COMMAND} -DLIST=${PROJECT_SOURCE_DIR}/bench/list.txt
        -P "${CMAKE_CURRENT_LIST_DIR}/told.cmake" ${bench_told})
    svs_set_test_properties(bench.list.told bench 120)
endif()

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
if(TARGET bench_racecheck AND SVS_PYTHON)
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
    set(ranks_rates "mops_rank=${number} us_op=${number} grid=0 bytes_op=${number} run=${number} peak_mb=${number}")
    bench_test(ranks.stream 0
        "bench=ranks work=insert engine=svs transport=local ranks=2 bytes=1024 ${ranks_rates} count=5000 rounds=2" ""
        ${CMAKE_COMMAND} -E env SVS_TRANSPORT=local:2 $<TARGET_FILE:ranks_bench_local>
        --work insert --bytes 1024 --count 5000 --rounds 2)
    bench_test(ranks.fiber 0 "kind=fifo ns=${number}.*kind=stack ns=${number}" ""
        ${CMAKE_COMMAND} -E env SVS_TRANSPORT=local:1 $<TARGET_FILE:ranks_bench_local> --work fiber --rounds 1)
    # Works that grow: transport, operations, and what the row says.
    foreach(row IN ITEMS "sim:9:1 scale 1 msgs_new=8 msgs_run=16" "local:1 wait 1000 kind=different waiters=1000"
        "sim:2:1 credit 500 waiters=500"
        "local:4 flood 500 ranks=4 transport=local count=500" "local:3 forward 500 ranks=3 transport=local count=500"
        "local:2 bulk 1 kind=read transport=local bytes=67108864")
        string(REGEX MATCH "^([^ ]+) ([^ ]+) ([^ ]+) (.*)$" row "${row}")
        bench_test(ranks.${CMAKE_MATCH_2} 0 "work=${CMAKE_MATCH_2} .*${CMAKE_MATCH_4} " ""
            ${CMAKE_COMMAND} -E env SVS_TRANSPORT=${CMAKE_MATCH_1} $<TARGET_FILE:ranks_bench_local>
            --work ${CMAKE_MATCH_2} --count ${CMAKE_MATCH_3})
    endforeach()
    bench_test(ranks.unknown 1 "^$" "there is no work nothing" $<TARGET_FILE:ranks_bench_local> --work nothing)
endif()
