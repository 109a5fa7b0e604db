# A write where a read is declared.
set(PROGRAM quakesquad)
set(FILE examples/quakesquad/engine_svs_bombs.c)
set(OLD [==[
i++) svs_writes_object(f, &b->bodies[i]->svs);]==])
set(NEW [==[
i++) svs_reads_object(f, &b->bodies[i]->svs);]==])
set(FINDS "undeclared|examples/quakesquad/blast.c|hit->fear_frame = frame")
