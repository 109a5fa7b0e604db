# Structures over ranks, and the programs of bench multipol over them.
svs_add_test(NAME ranks_structures LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES structures.c)
svs_add_test(NAME ranks_hash LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES hash.c)
svs_add_test(NAME ranks_stealer LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES stealer.c)
svs_add_test(NAME ranks_object_layer LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES object_layer.c)
svs_add_test(NAME ranks_bipartite LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES bipartite.c)
svs_add_test(NAME ranks_events LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs
    SOURCES events.c ../ranks/exhaustive.c explore/strategy.c)
svs_add_test(NAME ranks_simulations LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES simulations.c)
svs_add_test(NAME ranks_circuits LABEL stress TIMEOUT 300 LIBRARY svs_ranks_inside SOURCES circuits.c
    ../../bench/multipol/circuit/circuit_netlist.c ../../bench/multipol/circuit/circuit_serial.c ../../bench/multipol/circuit/circuit_ranks.c
    ../../bench/multipol/circuit/circuit_waves.c ../../bench/multipol/circuit/circuit_gather.c
    ../../examples/multipol/characteristics.c)
svs_add_test(NAME ranks_combiner LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs SOURCES combiner.c
    ../../bench/multipol/phylogeny/phylogeny_combine.c)
svs_add_test(NAME ranks_cswec LABEL stress TIMEOUT 300 LIBRARY svs_ranks_inside SOURCES cswec.c
    ../../bench/multipol/cswec/cswec_network.c ../../bench/multipol/cswec/cswec_regfile.c ../../bench/multipol/cswec/cswec_model.c
    ../../bench/multipol/cswec/cswec_serial.c ../../bench/multipol/cswec/cswec_ranks.c ../../bench/multipol/circuit/circuit_netlist.c
    ../../bench/multipol/circuit/circuit_serial.c ../../bench/multipol/circuit/circuit_waves.c ../../bench/multipol/circuit/circuit_gather.c
    ../../examples/multipol/characteristics.c LIBRARIES m)
foreach(name IN ITEMS circuits cswec) # of the programs' common/clock.h
    if(TARGET test_ranks_${name})
        target_include_directories(test_ranks_${name} PRIVATE "${PROJECT_SOURCE_DIR}/examples" "${PROJECT_SOURCE_DIR}/ranks/bench")
    endif()
endforeach()
foreach(name IN ITEMS bipartite circuits combiner cswec events hash object_layer simulations stealer structures)
    if(TARGET test_ranks_${name})
        add_dependencies(ranks_tests test_ranks_${name})
    endif()
endforeach()
