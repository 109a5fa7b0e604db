# Out of memory: every allocation of the core fails in turn.
svs_add_test(NAME unit_oom LABEL unit SOURCES oom.c TIMEOUT 600)
# From some allocation on all fail, the system's stacks included, for the first, the second ... of a run of asyncs.
svs_add_test(NAME unit_oom_asyncs LABEL unit SOURCES asyncs.c LINK_OPTIONS "-Wl,--wrap=mmap" TIMEOUT 600)
