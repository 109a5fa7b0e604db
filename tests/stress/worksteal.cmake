svs_add_test(NAME stress_worksteal_deque LABEL stress SOURCES worksteal_deque.c)
svs_add_test(NAME stress_worksteal_sources LABEL stress SOURCES worksteal_sources.c)
svs_add_test(NAME stress_worksteal_trees LABEL stress SOURCES worksteal_trees.c)
svs_add_test(NAME stress_worksteal_tiny LABEL stress SOURCES worksteal_tiny.c)
