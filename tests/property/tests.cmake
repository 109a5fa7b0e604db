# memobj.R1, the soundness of reachability, against brute force.
svs_add_test(NAME property_reach_named LABEL property SOURCES reach_named.c)
svs_add_test(NAME property_reach_random LABEL property SOURCES reach_random.c ARGS --seed 1)
svs_add_test(NAME property_reach_parallel LABEL property SOURCES reach_parallel.c ARGS --seed 1 TIMEOUT 600)
set(svs_replays 20)
if(SVS_CHECK_MODE)
    set(svs_replays 5)
endif()
# Replay: runs are recorded and repeated; some of the 10,000 that the program makes without arguments.
svs_add_test(NAME property_stealtree_replay LABEL property ARGS help-first 0 ${svs_replays} TIMEOUT 1200 SOURCES stealtree_replay.c
    unit/stealtree/lingering.c unit/async/programs.c unit/async/programs_serial.c)
add_test(NAME property_stealtree_replay_work_first COMMAND test_property_stealtree_replay work-first 0 ${svs_replays})
svs_set_test_properties(property_stealtree_replay_work_first property 1200)
# Their workers wait for each other all the time: beside other tests they take ten times as long.
foreach(test IN ITEMS property_stealtree_replay property_stealtree_replay_work_first property_reach_parallel)
    if(TEST ${test}) # not each build has each of them
        set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)
    endif()
endforeach()
# Retentive stealing, with trees that change from iteration to iteration.
svs_add_test(NAME property_stealtree_retain LABEL property TIMEOUT 600 SOURCES stealtree_retain.c
    unit/stealtree/lingering.c unit/async/programs.c unit/async/programs_serial.c)
if(TEST property_stealtree_retain) # a worker that loses its CPU is stolen from: what is balanced seems out of balance
    set_tests_properties(property_stealtree_retain PROPERTIES RUN_SERIAL ON)
endif()
# Race checks against the orders that random programs state.
svs_add_test(NAME property_racecheck LABEL property TIMEOUT 600 SOURCES racecheck.c racecheck_program.c)
# Verdicts on random graphs against the order that the graphs promise.
svs_add_test(NAME property_racecheck_graph LABEL property SOURCES racecheck_graph.c)
# What is before an instance of a graph, in random forests of sends.
svs_add_test(NAME property_racecheck_senders LABEL property SOURCES racecheck_senders.c)
# Races between runs of several threads, which overlap, nest or follow each other.
svs_add_test(NAME property_racecheck_roots LABEL property SOURCES racecheck_roots.c)
