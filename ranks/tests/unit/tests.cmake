# Parts that need no ranks.
svs_add_test(NAME unit_ranks_cpu_clock LABEL unit LIBRARY svs_ranks_inside SOURCES ranks/cpu_clock.c)
svs_add_test(NAME unit_structures_hash_bins LABEL unit LIBRARY svs_ranks_inside SOURCES structures/hash/bins.c)
svs_add_test(NAME unit_structures_stealer_task_pool LABEL unit LIBRARY svs_ranks_inside
    SOURCES structures/stealer/task_pool.c)
