# R1, the soundness of reachability, against brute force.
svs_add_test(NAME property_reach_named LABEL property SOURCES reach_named.c)
svs_add_test(NAME property_reach_random LABEL property SOURCES reach_random.c ARGS --seed 1)
svs_add_test(NAME property_reach_parallel LABEL property SOURCES reach_parallel.c ARGS --seed 1 TIMEOUT 600)
