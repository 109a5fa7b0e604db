# A dropped declaration: the neighbours of the second element.
set(PROGRAM canneal)
set(FILE examples/canneal/engine_svs.c)
set(OLD [==[
        read_neighbours(f, item->anneal, item->pairs[i].b);
]==])
set(NEW "")
set(FINDS "undeclared|examples/canneal/swap_cost.h|uint32_t there = PLACEMENT_READ(p, neighbour)")
