# Scale, a hundredth of it; `test_stress_scale --full` does it all.
svs_add_test(NAME stress_scale LABEL stress SOURCES scale.c)
svs_add_test(NAME stress_worksteal_deque LABEL stress SOURCES worksteal_deque.c)
svs_add_test(NAME stress_worksteal_jobs LABEL stress SOURCES worksteal_jobs.c)
svs_add_test(NAME stress_worksteal_trees LABEL stress SOURCES worksteal_trees.c)
svs_add_test(NAME stress_worksteal_tiny LABEL stress SOURCES worksteal_tiny.c)
# The same with thieves that are held up between what they see and what they take (worksteal.D7).
svs_add_test(NAME stress_worksteal_trees_paused LABEL stress SOURCES worksteal_trees.c worksteal_pauses.c
    LINK_OPTIONS "-Wl,--wrap=svs__deque_look" "-Wl,--wrap=svs__deque_take")
