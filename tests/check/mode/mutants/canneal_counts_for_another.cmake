# A worker counts in another one's place.
set(PROGRAM canneal)
set(FILE examples/canneal/engine_svs.c)
set(OLD [==[
    tally *mine = &item->anneal->tallies[svs_context_worker(context)];
]==])
set(NEW [==[
    uint32_t other = (svs_context_worker(context) + 1) % item->anneal->options.threads;
    tally *mine = &item->anneal->tallies[other];
]==])
set(FINDS "undeclared|examples/canneal/annealing.c|svs_relaxed_store_u64(field, svs_relaxed_load_u64(field) + more)")
