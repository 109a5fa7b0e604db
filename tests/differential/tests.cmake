# The differential tester (differential.h): random programs through the public headers, against an oracle.
svs_add_test(NAME differential LABEL stress LIBRARY svs TIMEOUT 900
    SOURCES main.c draw.c land.c item.c body.c acts.c oracle.c sample.c graphs.c generated.c sources.c
        elide.c later.c scenes.c beside.c memory.c)
# Its threads wait for each other all the time: alongside other tests it takes eight times as long.
set_tests_properties(differential PROPERTIES RUN_SERIAL ON)

# Many instances of the cases that decide the shape of a program.
function(svs_add_differential name feature instances)
    add_test(NAME ${name} COMMAND test_differential --only ${feature} --instances ${instances})
    svs_set_test_properties(${name} stress 900)
endfunction()
svs_add_differential(differential_conflicts conflicts 500000)
svs_add_differential(differential_generated generated 300000)
svs_add_differential(differential_sources sources 300000)
svs_add_differential(differential_relinking growing 1000000)
svs_add_differential(differential_transforms transforms 200000)
svs_add_differential(differential_windows windows 1500000)
set_target_properties(test_differential PROPERTIES OUTPUT_NAME differential)
