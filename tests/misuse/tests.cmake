# Misuse that a program can commit, as a table that docs/misuse.md repeats.
svs_add_test(NAME misuse LABEL unit SOURCES main.c stage.c runtimes.c asyncs.c worlds.c objects.c graphs.c bodies.c footprints.c
    ranks.c stealers.c bipartite.c events.c "$<TARGET_OBJECTS:svs_ranks>"
    ARGS "${PROJECT_SOURCE_DIR}/docs/misuse.md")
