# The distributed half, over the transports that need no MPI. Programs of several ranks are run by ranks/tests/ranks/program.h.
add_library(svs_ranks_inside INTERFACE)
target_link_libraries(svs_ranks_inside INTERFACE svs_internal_archive) # which mutants replace parts of
target_include_directories(svs_ranks_inside INTERFACE
    "${PROJECT_SOURCE_DIR}/ranks/include" "${PROJECT_SOURCE_DIR}/ranks/src" "${PROJECT_SOURCE_DIR}/ranks/tests")

# What runs the programs, once for all tests.
add_library(svs_ranks_programs STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/program.c")
target_link_libraries(svs_ranks_programs PUBLIC svs_ranks_inside svs_cases)

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
svs_add_test(NAME ranks_bulk LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES bulk.c)
svs_add_test(NAME ranks_rules LABEL stress TIMEOUT 900 LIBRARY svs_ranks_programs SOURCES rules.c)
svs_add_test(NAME ranks_observers LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs SOURCES observers.c)
svs_add_test(NAME ranks_characteristics LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs
    SOURCES characteristics.c ../../examples/multipol/characteristics.c)
svs_add_test(NAME ranks_backlogs LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs SOURCES backlogs.c)
svs_add_test(NAME ranks_grid LABEL stress TIMEOUT 300 LIBRARY svs_ranks_programs SOURCES grid.c)
svs_add_test(NAME ranks_statistics LABEL unit LIBRARY svs_ranks_programs SOURCES statistics.c)
svs_add_test(NAME ranks_waves LABEL unit LIBRARY svs_ranks_programs SOURCES waves.c)
svs_add_test(NAME ranks_offload LABEL stress LIBRARY svs_ranks_programs SOURCES offload.c)

add_custom_target(ranks_tests) # the programs of this folder and of the others that test ranks
foreach(name IN ITEMS observers backlogs grid drivers mixed back_pressure posts lanes fibers schedulers threads ends objects snapshots bulk
        rules statistics waves characteristics offload)
    if(TARGET test_ranks_${name})
        add_dependencies(ranks_tests test_ranks_${name})
    endif()
endforeach()
