# The differential tester (differential.h): random programs through the public headers, against an oracle.
svs_add_test(NAME differential LABEL stress LIBRARY svs TIMEOUT 900
    SOURCES main.c draw.c land.c item.c body.c acts.c oracle.c graphs.c elide.c later.c scenes.c
        beside.c memory.c)
if(TARGET test_differential)
    set_target_properties(test_differential PROPERTIES OUTPUT_NAME differential)
    # Its threads wait for each other all the time: beside other tests it takes eight times as long.
    set_tests_properties(differential PROPERTIES RUN_SERIAL ON)
endif()
