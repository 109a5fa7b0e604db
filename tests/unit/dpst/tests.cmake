# The race check's core: the tree, common ancestors, the shadow through checks of small programs.
svs_add_test(NAME unit_dpst_lca LABEL unit SOURCES lca.c)
svs_add_test(NAME unit_dpst_check LABEL unit SOURCES check.c)
# It says where the next stack is mapped, through __wrap_svs__stack_map().
svs_add_test(NAME unit_dpst_reuse LABEL unit SOURCES reuse.c LINK_OPTIONS "-Wl,--wrap=svs__stack_map")
svs_add_test(NAME unit_dpst_bounds LABEL unit SOURCES bounds.c)
svs_add_test(NAME unit_dpst_edges LABEL unit SOURCES edges.c)
# Reuse of the tree's nodes while it grows; the view of the shadow for the sweep; workers that sleep.
svs_add_test(NAME unit_dpst_sweep LABEL unit SOURCES sweep.c)
svs_add_test(NAME unit_dpst_visit LABEL unit SOURCES visit.c)
svs_add_test(NAME unit_dpst_sleepers LABEL unit SOURCES sleepers.c)
# Verdicts on graphs' instances.
svs_add_test(NAME unit_dpst_graph LABEL unit SOURCES graph.c)
svs_add_test(NAME unit_dpst_undeclared LABEL unit SOURCES undeclared.c)
svs_add_test(NAME unit_dpst_touched LABEL unit SOURCES touched.c)
svs_add_test(NAME unit_dpst_placed LABEL unit SOURCES placed.c)
svs_add_test(NAME unit_dpst_guards LABEL unit SOURCES guards.c)
svs_add_test(NAME unit_dpst_owners LABEL unit SOURCES owners.c)
svs_add_test(NAME unit_dpst_cures LABEL unit SOURCES cures.c)
# Atomic accesses, of asyncs and of instances.
svs_add_test(NAME unit_dpst_atomics LABEL unit SOURCES atomics.c)
# Accesses that the check forgets between a graph's iterations, and those that it keeps.
svs_add_test(NAME unit_dpst_iterations LABEL unit SOURCES iterations.c)
# New lives of memory.
svs_add_test(NAME unit_dpst_lives LABEL unit SOURCES lives.c)
svs_add_test(NAME unit_dpst_allocated LABEL unit SOURCES allocated.c)
# Runs of threads outside of the library.
svs_add_test(NAME unit_dpst_roots LABEL unit SOURCES roots.c)
# Checks around replays, and before the start.
svs_add_test(NAME unit_dpst_replayed LABEL unit SOURCES replayed.c)
# Children of forks.
svs_add_test(NAME unit_dpst_forks LABEL unit SOURCES forks.c)
# No memory for the check, in each place.
svs_add_test(NAME unit_dpst_memory LABEL unit SOURCES memory.c
    LINK_OPTIONS "-Wl,--wrap=malloc,--wrap=aligned_alloc,--wrap=mmap")

# svs::check from inside: its inputs, its hooks, its reports. Whole programs are in tests/check.
if(NOT TARGET svs_check OR SVS_CHECK_MODE)
    return()
endif()
foreach(part IN ITEMS parse hooks accesses reports ends signals print types)
    svs_add_test(NAME unit_dpst_report_${part} LABEL unit SOURCES report/${part}.c LIBRARY svs::check)
    target_include_directories(test_unit_dpst_report_${part} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_compile_definitions(test_unit_dpst_report_${part} PRIVATE _GNU_SOURCE)
    # Accesses reported by hand must not decide the test's exit status.
    set_tests_properties(unit_dpst_report_${part} PROPERTIES ENVIRONMENT_MODIFICATION "SVS_CHECK_OPTIONS=set:exit=0 report=0")
endforeach()
