# sched.S1 and sched.S2 under stress (s1_main.c).
if(SVS_CHECK_MODE) # each access is looked at: some rounds
    set(svs_s1_instances --instances 8000)
endif()
svs_add_test(NAME stress_s1_mixed LABEL stress SOURCES s1_main.c s1_round.c s1_item.c s1_body.c s1_set.c
    ARGS mixed ${svs_s1_instances} TIMEOUT 900)
foreach(mode conflicts relinking transforms)
    add_test(NAME stress_s1_${mode} COMMAND test_stress_s1_mixed ${mode} ${svs_s1_instances})
    svs_set_test_properties(stress_s1_${mode} stress 900)
endforeach()
