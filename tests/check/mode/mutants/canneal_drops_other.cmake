# A dropped declaration: the second element of a pair.
set(PROGRAM canneal)
set(FILE examples/canneal/engine_svs.c)
set(OLD [==[
        svs_writes_at(f, state->elements, item->pairs[i].b);
]==])
set(NEW "")
set(FINDS "undeclared|examples/canneal/placement.c|svs_relaxed_store_u32(&p->at@b@, at_a)")
