# A write where a read is declared.
set(PROGRAM 05_errors)
set(FILE examples/05_errors.c)
set(OLD [==[
svs_writes(f, &w->weighed->svs);]==])
set(NEW [==[
svs_reads(f, &w->weighed->svs);]==])
set(FINDS "undeclared|examples/05_errors.c|w->weighed->stamps = w->weighed->weight / w->parts")
