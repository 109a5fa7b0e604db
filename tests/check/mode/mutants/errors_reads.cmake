# A write where a read is declared.
set(PROGRAM 05_errors)
set(FILE examples/05_errors.c)
set(OLD [==[
svs_writes_object(f, &w->what->svs);]==])
set(NEW [==[
svs_reads_object(f, &w->what->svs);]==])
set(FINDS "undeclared|examples/05_errors.c|w->what->stamps = w->what->weight / w->parts")
