# A write where a read is declared.
set(PROGRAM quakesquad)
set(FILE examples/quakesquad/engine_svs.c)
set(OLD [==[
t = t->next) svs_writes_object(f, &t->who->svs);]==])
set(NEW [==[
t = t->next) svs_reads_object(f, &t->who->svs);]==])
set(FINDS "undeclared|examples/quakesquad/blast.c|who->fear_frame = frame")
