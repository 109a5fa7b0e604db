# The distributed half, over the transports that need no MPI. Programs of several ranks are run by ranks/tests/ranks/program.h.
add_library(svs_ranks_inside INTERFACE)
target_link_libraries(svs_ranks_inside INTERFACE svs_internal_archive) # which mutants replace parts of
target_include_directories(svs_ranks_inside INTERFACE
    "${PROJECT_SOURCE_DIR}/ranks/include" "${PROJECT_SOURCE_DIR}/ranks/src" "${PROJECT_SOURCE_DIR}/ranks/tests")

# What runs the programs, once for all tests.
add_library(svs_ranks_programs STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/program.c")
target_link_libraries(svs_ranks_programs PUBLIC svs_ranks_inside svs_cases)

svs_add_test(NAME ranks_transport LABEL unit LIBRARY svs_ranks_inside SOURCES transport.c)
svs_add_test(NAME ranks_registry LABEL unit LIBRARY svs_ranks_inside SOURCES registry.c)
svs_add_test(NAME ranks_topology LABEL unit LIBRARY svs_ranks_inside SOURCES topology.c)
svs_add_test(NAME ranks_posts LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES posts.c)
svs_add_test(NAME ranks_back_pressure LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES back_pressure.c)
svs_add_test(NAME ranks_lanes LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES lanes.c)
foreach(name IN ITEMS fibers schedulers threads)
    svs_add_test(NAME ranks_${name} LABEL unit LIBRARY svs_ranks_programs SOURCES ${name}.c)
endforeach()
svs_add_test(NAME ranks_ends LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs
    SOURCES ends.c exhaustive.c explore/strategy.c)
svs_add_test(NAME ranks_objects LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES objects.c)
svs_add_test(NAME ranks_snapshots LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES snapshots.c)
svs_add_test(NAME ranks_drivers LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs SOURCES drivers.c)
svs_add_test(NAME ranks_mixed LABEL unit LIBRARY svs_ranks_programs SOURCES mixed.c)
svs_add_test(NAME ranks_structures LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES structures.c)
svs_add_test(NAME ranks_bulk LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES bulk.c)
svs_add_test(NAME ranks_hash LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES hash.c)
svs_add_test(NAME ranks_stealer LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES stealer.c)
svs_add_test(NAME ranks_object_layer LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES object_layer.c)
svs_add_test(NAME ranks_bipartite LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES bipartite.c)
svs_add_test(NAME ranks_events LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs
    SOURCES events.c exhaustive.c explore/strategy.c)
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
svs_add_test(NAME ranks_rules LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES rules.c)
svs_add_test(NAME ranks_observers LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs SOURCES observers.c)
svs_add_test(NAME ranks_characteristics LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs
    SOURCES characteristics.c ../../examples/multipol/characteristics.c)
svs_add_test(NAME ranks_backlogs LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs SOURCES backlogs.c)
svs_add_test(NAME ranks_grid LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs SOURCES grid.c)
svs_add_test(NAME ranks_statistics LABEL unit LIBRARY svs_ranks_programs SOURCES statistics.c)
svs_add_test(NAME ranks_waves LABEL unit LIBRARY svs_ranks_programs SOURCES waves.c)
svs_add_test(NAME ranks_offload LABEL stress LIBRARY svs_ranks_programs SOURCES offload.c)

add_custom_target(ranks_tests) # all programs of this folder
foreach(name IN ITEMS bipartite circuits cswec events object_layer simulations stealer observers backlogs grid hash structures drivers mixed back_pressure topology transport registry posts lanes fibers schedulers threads ends objects snapshots bulk rules statistics waves characteristics combiner offload)
    if(TARGET test_ranks_${name})
        add_dependencies(ranks_tests test_ranks_${name})
    endif()
endforeach()

# A rank that exits in the middle of a run, and one that exits after it.
add_executable(ranks_exits "${CMAKE_CURRENT_LIST_DIR}/exits.c")
target_link_libraries(ranks_exits PRIVATE svs_ranks)
add_dependencies(ranks_tests ranks_exits)
set_target_properties(ranks_exits PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
foreach(transport IN ITEMS local:3 sim:3:5)
    string(REGEX REPLACE ":.*" "" kind "${transport}")
    add_test(NAME ranks_exits.${kind} COMMAND ${CMAKE_COMMAND} -P "${PROJECT_SOURCE_DIR}/cmake/must_fail.cmake" --
        $<TARGET_FILE:ranks_exits> --transport ${transport})
    add_test(NAME ranks_exits.${kind}.after COMMAND ranks_exits --transport ${transport} after)
    svs_set_test_properties(ranks_exits.${kind} stress 60)
    svs_set_test_properties(ranks_exits.${kind}.after stress 60)
    set_tests_properties(ranks_exits.${kind} PROPERTIES
        PASS_REGULAR_EXPRESSION "a rank exits before the end of a run.*failed as it should: 70")
endforeach()

# Over each MPI: one test at a time, since its ranks poll. Rank 1 exits, is killed or stopped in each phase of a program.
set(ranks_faults "exit 0 new" "exit 0 inserts" "exit 0 freeze" "exit 3 bulk" "exit 0 free")
foreach(phase IN ITEMS new inserts freeze bulk run free)
    list(APPEND ranks_faults "kill 9 ${phase}")
endforeach()
function(svs_add_mpi_test name timeout)
    add_test(NAME ${name} COMMAND ${ARGN})
    svs_set_test_properties(${name} stress ${timeout})
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK svs_mpi)
endfunction()
foreach(mpi IN ITEMS openmpi mpich)
    if(NOT TARGET svs_ranks_${mpi})
        continue()
    endif()
    foreach(program IN ITEMS mpi faults graph_faults structure_faults inside_mpi mpi_large)
        string(REGEX REPLACE "mpi$" "${mpi}" target "ranks_${program}")
        string(REGEX REPLACE "(faults|mpi_large)$" "\\1_${mpi}" target "${target}")
        add_executable(${target} "${CMAKE_CURRENT_LIST_DIR}/${program}.c")
        target_link_libraries(${target} PRIVATE svs_ranks_${mpi})
        target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
        target_include_directories(${target} PRIVATE
            "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/ranks/src" "${PROJECT_SOURCE_DIR}/ranks/tests")
        target_include_directories(${target} SYSTEM PRIVATE ${svs_${mpi}_INCLUDE_DIRS})
        add_dependencies(ranks_tests ${target})
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    endforeach()
    set(run /bin/bash "${PROJECT_SOURCE_DIR}/ranks/ranks.sh" ${mpi})
    set(must_fail ${CMAKE_COMMAND} -P "${PROJECT_SOURCE_DIR}/cmake/must_fail.cmake" --)
    foreach(count IN ITEMS 1 4 8)
        svs_add_mpi_test(ranks_${mpi}.${count} 60 ${run} ${count} $<TARGET_FILE:ranks_${mpi}>)
        set_tests_properties(ranks_${mpi}.${count} PROPERTIES PASS_REGULAR_EXPRESSION "${count} ranks: SVS_OK, 0 faults")
    endforeach()
    foreach(count IN ITEMS 1 5)
        svs_add_mpi_test(ranks_${mpi}.inside.${count} 60 ${run} ${count} $<TARGET_FILE:ranks_inside_${mpi}>)
        set_tests_properties(ranks_${mpi}.inside.${count} PROPERTIES PASS_REGULAR_EXPRESSION "${count} ranks inside: 0 faults")
    endforeach()
    svs_add_mpi_test(ranks_${mpi}.inside.funneled 60 ${run} 2 $<TARGET_FILE:ranks_inside_${mpi}> funneled)
    set_tests_properties(ranks_${mpi}.inside.funneled PROPERTIES PASS_REGULAR_EXPRESSION
        "MPI grants less than MPI_THREAD_SERIALIZED.*2 ranks inside: 0 faults")
    svs_add_mpi_test(ranks_${mpi}.large 60 ${run} 3 $<TARGET_FILE:ranks_mpi_large_${mpi}> "${PROJECT_BINARY_DIR}/tests/large.${mpi}")
    set_tests_properties(ranks_${mpi}.large PROPERTIES PASS_REGULAR_EXPRESSION "rank 2: 0 faults"
        FAIL_REGULAR_EXPRESSION "[1-9][0-9]* faults")
    # Circuits of ISCAS-85 over MPI; a generated one where they are not.
    if(NOT TARGET ranks_circuits_parts) # what is the same over each MPI
        file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/ranks/bench/multipol/circuit/*.c")
        add_library(ranks_circuits_parts OBJECT ${sources} "${PROJECT_SOURCE_DIR}/ranks/examples/multipol/characteristics.c")
        target_link_libraries(ranks_circuits_parts PRIVATE svs_ranks example_common)
        target_include_directories(ranks_circuits_parts PRIVATE "${PROJECT_SOURCE_DIR}/ranks/examples" "${PROJECT_SOURCE_DIR}/ranks/bench")
        target_compile_definitions(ranks_circuits_parts PRIVATE _GNU_SOURCE)
    endif()
    add_executable(ranks_circuits_${mpi} "${PROJECT_SOURCE_DIR}/ranks/bench/multipol/program.c" $<TARGET_OBJECTS:ranks_circuits_parts>)
    target_link_libraries(ranks_circuits_${mpi} PRIVATE svs_ranks_${mpi} example_common)
    target_include_directories(ranks_circuits_${mpi} PRIVATE "${PROJECT_SOURCE_DIR}/ranks/examples" "${PROJECT_SOURCE_DIR}/ranks/bench")
    target_compile_definitions(ranks_circuits_${mpi} PRIVATE _GNU_SOURCE "MULTIPOL_TRANSPORT=svs_transport_mpi()")
    add_dependencies(ranks_tests ranks_circuits_${mpi})
    set_target_properties(ranks_circuits_${mpi} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    # One start runs them all, since a start takes longer than a circuit.
    set(netlists "")
    set(text "")
    foreach(name IN ITEMS c17 c432 c499 c880)
        if(EXISTS "${SVS_DATA_DIR}/iscas85/${name}.bench")
            string(APPEND netlists ",${SVS_DATA_DIR}/iscas85/${name}.bench")
            string(APPEND text "circuit=${name} ranks=4 [^\n]* verified=yes\n[^\n]*")
        endif()
    endforeach()
    set(netlist --netlist "${netlists}")
    if(netlists STREQUAL "")
        message(STATUS "left out: circuits over ${mpi}, as ISCAS-85 is not in SVS_DATA_DIR (${SVS_DATA_DIR})")
        set(netlist --width 6 --depth 9)
        set(text "circuit=generated ranks=4 .* verified=yes")
    endif()
    svs_add_mpi_test(ranks_${mpi}.circuits 60 ${run} 4 $<TARGET_FILE:ranks_circuits_${mpi}> ${netlist} --vectors 20
        --capacity 2 --bytes 1000)
    set_tests_properties(ranks_${mpi}.circuits PROPERTIES PASS_REGULAR_EXPRESSION "${text}")
    foreach(fault IN LISTS ranks_faults)
        string(REPLACE " " "_" id "${fault}")
        string(REPLACE " " ";" words "${fault}")
        set(text "rank 1: it exits before the end of a run")
        if(fault STREQUAL "exit 0 new") # the others wait for it, and are told
            set(text "svs: error: rank 1: it died, or left before the end")
        elseif(fault MATCHES "kill")
            set(text "rank 1 was killed by signal 9")
        endif()
        svs_add_mpi_test(ranks_${mpi}.${id} 60 ${must_fail} ${run} 3 $<TARGET_FILE:ranks_faults_${mpi}> ${words})
        set_tests_properties(ranks_${mpi}.${id} PROPERTIES PASS_REGULAR_EXPRESSION "${text}.*failed as it should")
    endforeach()
    # Rank 1 is killed while others wait for its events, in a recovery, or while they wait for its places.
    set(phases events recovery)
    if(mpi STREQUAL "mpich")
        set(phases space)
    endif()
    foreach(phase IN LISTS phases)
        svs_add_mpi_test(ranks_${mpi}.graph.${phase} 60 ${must_fail} ${run} 3 $<TARGET_FILE:ranks_graph_faults_${mpi}> ${phase})
        set_tests_properties(ranks_${mpi}.graph.${phase} PROPERTIES
            PASS_REGULAR_EXPRESSION "rank 1 was killed by signal 9.*failed as it should")
    endforeach()
    # ... or while they validate ghosts, refresh copies of its object, steal its tasks, or merge inserts for it.
    set(phases validate refresh)
    if(mpi STREQUAL "mpich")
        set(phases combine steal)
    endif()
    foreach(phase IN LISTS phases)
        svs_add_mpi_test(ranks_${mpi}.structure.${phase} 60 ${must_fail} ${run} 3
            $<TARGET_FILE:ranks_structure_faults_${mpi}> ${phase})
        set_tests_properties(ranks_${mpi}.structure.${phase} PROPERTIES
            PASS_REGULAR_EXPRESSION "rank 1 was killed by signal 9.*failed as it should")
    endforeach()
    # A rank that is stopped for some seconds delays the run, and nothing else.
    svs_add_mpi_test(ranks_${mpi}.stopped 60 ${run} 3 $<TARGET_FILE:ranks_faults_${mpi}> stop 0 inserts)
    set_tests_properties(ranks_${mpi}.stopped PROPERTIES
        PASS_REGULAR_EXPRESSION "SVS_OK, right.*SVS_OK, right.*SVS_OK, right" FAIL_REGULAR_EXPRESSION "wrong")
    # Without a launcher, or with that of the other MPI, each process is a world of its own.
    svs_add_mpi_test(ranks_${mpi}.no_launcher 60 ${must_fail} ${CMAKE_COMMAND} -E env SVS_RANKS=2 $<TARGET_FILE:ranks_${mpi}>)
    set_tests_properties(ranks_${mpi}.no_launcher PROPERTIES PASS_REGULAR_EXPRESSION
        "SVS_RANKS is 2, and MPI's world has 1 processes: start the program by the launcher.*failed as it should")
    foreach(other IN ITEMS openmpi mpich)
        if(TARGET svs_ranks_${other} AND NOT other STREQUAL mpi)
            svs_add_mpi_test(ranks_${mpi}.other_launcher 60 ${must_fail} /bin/bash "${PROJECT_SOURCE_DIR}/ranks/ranks.sh" ${other}
                2 $<TARGET_FILE:ranks_${mpi}>)
            set_tests_properties(ranks_${mpi}.other_launcher PROPERTIES PASS_REGULAR_EXPRESSION
                "and MPI's world has 1 processes: start the program by the launcher.*failed as it should")
        endif()
    endforeach()
endforeach()
