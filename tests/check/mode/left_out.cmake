# Tests and sources that the race check's build (cmake/check_mode.cmake) leaves out, with the reasons. The list is
# complete: a source that is neither compiled there nor named here, or a name of nothing, is an error.

# ---- sources that run no tasks, or that nothing runs ----
svs_check_leaves_out(SOURCES tests/fuzz/.* tests/coverage/.* BECAUSE "parsers, and a part of coverage: no tasks")
svs_check_leaves_out(SOURCES tests/abi/.* tests/install/.* tests/embed/.* tests/tsan/.*
    BECAUSE "they are about the installed or the loaded library; the programs that they install are compiled in mode/")
svs_check_leaves_out(SOURCES tests/headers/tests.cmake tests/headers/mistakes.c tests/headers/mistakes.cpp tests/headers/must.c tests/headers/counts.c
    BECAUSE "compiled and not run; mode/ runs the others")
svs_check_leaves_out(SOURCES tests/docs/.* BECAUSE "pages; what their blocks show is run by the examples and tests")
svs_check_leaves_out(SOURCES tests/evaluation/.* tests/bench/.* ranks/tests/bench/.*
    BECAUSE "of the benchmarks only the programs of bench/cilk are checked")
svs_check_leaves_out(SOURCES tests/tools/tests.cmake tests/tools/format.c tests/tools/span.c tests/tools/schedule.c
    BECAUSE "the command reads traces; record.c, which makes them, is in mode/")
svs_check_leaves_out(WITHOUT_TASKS example.common example.choice quakesquad.rules
    unit_base_log_status unit_base_memory unit_base_random_platform unit_worksteal_deque
    unit_stealtree_record unit_stealtree_verify property_reach_named stress_worksteal_jobs
    unit_base_sized unit_memobj_growth unit_memobj_step unit_memobj_worlds
    unit_memobj_many unit_sched_gate unit_sched_light unit_sched_pending unit_sched_sorted unit_stealtree_file
    unit_worksteal_parking unit_worksteal_stack unit_base_atomic unit_base_lock stress_worksteal_deque
    property_reach_random property_reach_parallel ranks_topology ranks_back_pressure
    ranks_stealer ranks_object_layer ranks_bipartite ranks_observers ranks_backlogs ranks_grid ranks_characteristics unit_structures_stealer_task_pool
    BECAUSE "helpers, single structures, and calls from outside or from threads of their own")
svs_check_leaves_out(TESTS quakesquad.refuses.* quakesquad.serial.* "quakesquad.*mutex.*"
    BECAUSE "wrong options, and engines that know nothing of tasks")

# ---- tests at a smaller scale ----
svs_check_leaves_out(SOURCES tests/cilk/.* BECAUSE "larger, and repeated: mode/ runs the same programs at smaller sizes")
svs_check_leaves_out(TESTS "quakesquad.*[.](none|centre|moving)[.].*" "quakesquad.*[.]quadrants[.][18]"
    BECAUSE "one quest, by two threads, stands for all: the answer holds for every schedule")
svs_check_leaves_out(TESTS "quakesquad.crowded.*" BECAUSE "too large; the same program runs with small inputs in mode/")
svs_check_leaves_out(SOURCES "examples/.*/tests/(engines|parsec)[.]c"
    BECAUSE "too large; the same programs run with small inputs, and fluidanimate with 5K, in mode/")

# ---- tests that cannot be linked with the check ----
svs_check_leaves_out(SOURCES tests/explore/.*
    BECAUSE "its scheduler has stacks and an order of its own, and what it runs are variants of the library")
svs_check_leaves_out(SOURCES tests/faults/wrap.c tests/faults/lives.c
    BECAUSE "malloc and pthread_create are replaced, as the check does; the same programs run in tests of their own")
svs_check_leaves_out(SOURCES tests/unit/async/backtrace.c BECAUSE "run by a debugger, which looks at plain machine code")
svs_check_leaves_out(SOURCES tests/unit/worksteal/switch.c
    BECAUSE "it switches stacks in line, and instrumented code tells ThreadSanitizer of that")
svs_check_leaves_out(TESTS unit_async_ucontext_.* property_async_ucontext_.*
    BECAUSE "the library in a variant of its own, and there is no check with a static one")
svs_check_leaves_out(TESTS unit_stealtree_measure unit_worksteal_runtime unit_oom_asyncs unit_memobj_types stress_worksteal_trees_paused
    unit_sched_priorities unit_worksteal_pauses
    BECAUSE "functions inside of the library are replaced, which a shared one does not allow")

# ---- races or faults on purpose, and tests of the check itself ----
svs_check_leaves_out(TESTS unit_sched_reserved unit_sched_behind unit_sched_pieces BECAUSE "its instances record their runs undeclared")
svs_check_leaves_out(TESTS unit_face_body_asyncs
    BECAUSE "its asyncs wait for each other by atomics, which order no access: that forces the thieves")
svs_check_leaves_out(TESTS unit_sched_seen unit_face_priority
    BECAUSE "they record in which order their instances ran, undeclared")
svs_check_leaves_out(TESTS unit_face_argument BECAUSE "its touch function counts its calls, which the check reports as it should")
svs_check_leaves_out(TESTS unit_sched_chunks BECAUSE "in a checked run one worker walks alone, since its accesses are noted")
svs_check_leaves_out(TESTS unit_sched_serial_runs BECAUSE "a checked run has no serial runs, as each instance is watched")
svs_check_leaves_out(TESTS unit_sched_strips BECAUSE "a checked run has no serial runs, as each instance is watched")
svs_check_leaves_out(TESTS unit_memobj_adapt BECAUSE "a checked run walks each reach whole, so that no deferral has a master as its cause")
svs_check_leaves_out(TESTS unit_memobj_upkeep BECAUSE "a checked run walks each reach whole, so that upkeep never begins")
svs_check_leaves_out(TESTS unit_memobj_outside BECAUSE "a body frees a pair that it reaches by a member only")
svs_check_leaves_out(TESTS unit_oom BECAUSE "the test's own log notes lines of bodies that run in parallel")
svs_check_leaves_out(SOURCES tests/check/programs/.* "tests/unit/dpst/report/.*"
    BECAUSE "they race on purpose, or are the check from inside: other builds judge them")
svs_check_leaves_out(TESTS example.07_find_a_race.racy BECAUSE "it races on purpose, and is judged by every other build")
svs_check_leaves_out(TESTS unit_dpst_.* property_racecheck.*
    BECAUSE "the check's own tests: they begin checks themselves, of what races on purpose")
svs_check_leaves_out(TESTS "example[.]scan_compare_.*"
    BECAUSE "the comparison writes tables of its own in touch functions, which the check reports as it should")
svs_check_leaves_out(SOURCES scan/tests/scan/.*
    BECAUSE "they are compiled by tests that build their programs themselves, and call touch functions without a graph")

# ---- the distributed half ----
svs_check_leaves_out(WITHOUT_TASKS "ranks_(transport|registry|fibers|schedulers|threads|lanes|posts|ends|rules|objects|snapshots|mixed|bulk|statistics|waves|hash|structures|drivers|events|simulations|circuits|cswec|combiner)" unit_ranks_cpu_clock unit_structures_hash_bins "example[.]tripuzzle[.].*" "example[.]ranks_.*" "ranks_exits.*[.]after"
    BECAUSE "ranks run fibers, which are no tasks; each rank has memory of its own")
svs_check_leaves_out(TESTS "ranks_exits[.](local|sim)" BECAUSE "they end the process in the middle of a run")
svs_check_leaves_out(SOURCES ranks/tests/transport/mpi.c ranks/tests/transport/mpi_large.c ranks/tests/transport/faults.c ranks/tests/transport/graph_faults.c ranks/tests/transport/structure_faults.c
    ranks/tests/transport/inside_mpi.c ranks/examples/05_inside_mpi.c
    BECAUSE "the MPIs are not built with the check")
