svs_add_test(NAME unit_memobj_many LABEL unit SOURCES many.c)
