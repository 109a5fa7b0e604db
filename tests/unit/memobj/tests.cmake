svs_add_test(NAME unit_memobj_growth LABEL unit SOURCES growth.c)
svs_add_test(NAME unit_memobj_many LABEL unit SOURCES many.c)
svs_add_test(NAME unit_memobj_outside LABEL unit SOURCES outside.c)
svs_add_test(NAME unit_memobj_refreshes LABEL unit SOURCES refreshes.c)
# It takes all memory from calloc, through __wrap_calloc().
svs_add_test(NAME unit_memobj_types LABEL unit SOURCES types.c LINK_OPTIONS "-Wl,--wrap=calloc")
svs_add_test(NAME unit_memobj_identities LABEL unit SOURCES identities.c)
svs_add_test(NAME unit_memobj_worlds LABEL unit SOURCES worlds.c)
