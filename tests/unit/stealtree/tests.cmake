svs_add_test(NAME unit_stealtree_record LABEL unit SOURCES record.c)
svs_add_test(NAME unit_stealtree_verify LABEL unit SOURCES verify.c)
svs_add_test(NAME unit_stealtree_file LABEL unit SOURCES file.c
    ARGS "${PROJECT_SOURCE_DIR}/docs/trace-format.md")
svs_add_test(NAME unit_stealtree_trace LABEL unit SOURCES trace.c)
# Theorems 5.8 and 6.3: real runs of random programs.
svs_add_test(NAME property_stealtree_theorem LABEL property SOURCES theorem.c)
# The test has a clock of its own.
svs_add_test(NAME unit_stealtree_measure LABEL unit SOURCES measure.c LINK_OPTIONS "-Wl,--wrap=svs__time_ns")
svs_add_test(NAME unit_stealtree_replay LABEL unit SOURCES replay.c lingering.c ../async/programs.c
    ../async/programs_serial.c)
