svs_add_test(NAME unit_worksteal_deque LABEL unit SOURCES deque.c)
svs_add_test(NAME unit_worksteal_finish LABEL unit SOURCES finish.c)
svs_add_test(NAME unit_worksteal_parking LABEL unit SOURCES parking.c)
svs_add_test(NAME unit_worksteal_participate LABEL unit SOURCES participate.c)
# It makes pthread_create fail at each call in turn, through __wrap_pthread_create().
svs_add_test(NAME unit_worksteal_runtime LABEL unit SOURCES runtime.c LINK_OPTIONS "-Wl,--wrap=pthread_create")
