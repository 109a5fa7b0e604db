# A write where a read is declared.
set(PROGRAM canneal)
set(FILE examples/canneal/engine_svs.c)
set(OLD [==[
        svs_writes_at(f, state->elements, item->pairs[i].a);
]==])
set(NEW [==[
        svs_reads_at(f, state->elements, item->pairs[i].a);
]==])
set(FINDS "undeclared|examples/canneal/placement.c|svs_relaxed_store_u32(&p->at@a@, svs_relaxed_load_u32(&p->at@b@))")
