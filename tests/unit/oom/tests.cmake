# Out of memory: every allocation of the core fails in turn.
svs_add_test(NAME unit_oom LABEL unit SOURCES oom.c TIMEOUT 600)
