# sched.S1 and sched.S2 under stress (s1_main.c).
if(SVS_CHECK_MODE) # each access is looked at: some rounds
    set(svs_s1_instances --instances 8000)
endif()
svs_add_test(NAME stress_s1_mixed LABEL stress SOURCES s1_main.c s1_round.c s1_item.c s1_body.c s1_set.c
    ARGS mixed ${svs_s1_instances} TIMEOUT 900)
foreach(mode conflicts relinking transforms windows)
    add_test(NAME stress_s1_${mode} COMMAND test_stress_s1_mixed ${mode} ${svs_s1_instances})
    svs_set_test_properties(stress_s1_${mode} stress 900)
endforeach()

# Scale, a hundredth of it; `test_stress_scale --full` does it all.
svs_add_test(NAME stress_scale LABEL stress SOURCES scale.c)
svs_add_test(NAME stress_worksteal_deque LABEL stress SOURCES worksteal_deque.c)
svs_add_test(NAME stress_worksteal_jobs LABEL stress SOURCES worksteal_jobs.c)
svs_add_test(NAME stress_worksteal_trees LABEL stress SOURCES worksteal_trees.c)
svs_add_test(NAME stress_worksteal_tiny LABEL stress SOURCES worksteal_tiny.c)
# The same with thieves that are held up between what they see and what they take (worksteal.D7).
svs_add_test(NAME stress_worksteal_trees_paused LABEL stress SOURCES worksteal_trees.c worksteal_pauses.c
    LINK_OPTIONS "-Wl,--wrap=svs__deque_look" "-Wl,--wrap=svs__deque_take")
