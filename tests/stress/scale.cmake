# Scale, a hundredth of it; `test_stress_scale --full` does it all.
svs_add_test(NAME stress_scale LABEL stress SOURCES scale.c)
