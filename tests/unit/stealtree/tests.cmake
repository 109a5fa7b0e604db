svs_add_test(NAME unit_stealtree_record LABEL unit SOURCES record.c)
svs_add_test(NAME unit_stealtree_verify LABEL unit SOURCES verify.c)
svs_add_test(NAME unit_stealtree_file LABEL unit SOURCES file.c)
