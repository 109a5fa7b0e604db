svs_add_test(NAME unit_stealtree_record LABEL unit SOURCES record.c)
