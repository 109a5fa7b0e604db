# The mutants of examples (mutants.cmake): after each line "#== NAME" stand the rules of one, as tests/explore/mutate.cmake
# and finds.cmake read them.

#== async_does_not_wait
# The program does not wait for the squares.
set(PROGRAM 06_async)
set(FILE examples/06_async.c)
set(OLD [==[
    svs_finish(async, square_all, numbers); /* all ten have ended when it returns */
]==])
set(NEW [==[
    square_all(async, numbers);
]==])
set(FINDS "race|examples/06_async.c|*number *= *number")

#== canneal_counts_for_another
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

#== canneal_drops_neighbours
# A dropped declaration: the neighbours of the second element.
set(PROGRAM canneal)
set(FILE examples/canneal/engine_svs.c)
set(OLD [==[
        read_neighbours(f, item->anneal, item->pairs[i].b);
]==])
set(NEW "")
set(FINDS "undeclared|examples/canneal/swap_cost.h|uint32_t there = PLACEMENT_READ(p, neighbour)")

#== canneal_drops_other
# A dropped declaration: the second element of a pair.
set(PROGRAM canneal)
set(FILE examples/canneal/engine_svs.c)
set(OLD [==[
        svs_writes_at(f, state->elements, item->pairs[i].b);
]==])
set(NEW "")
set(FINDS "undeclared|examples/canneal/placement.c|svs_relaxed_store_u32(&p->at@b@, at_a)")

#== canneal_reads
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

#== errors_reads
# A write where a read is declared.
set(PROGRAM 05_errors)
set(FILE examples/05_errors.c)
set(OLD [==[
svs_writes(f, &w->weighed->svs);]==])
set(NEW [==[
svs_reads(f, &w->weighed->svs);]==])
set(FINDS "undeclared|examples/05_errors.c|w->weighed->stamps = w->weighed->weight / w->parts")

#== graph_claims_independent
# An `independent` that is not.
set(PROGRAM 04_graph)
set(FILE examples/04_graph.c)
set(OLD [==[
svs_graph_add_order(graph, a.pushes, draw);
]==])
set(NEW [==[
svs_graph_set_independent(graph, a.pushes, draw);
]==])
set(OPTIONS order_is_error=1)
set(FINDS "order|examples/04_graph.c|*p->ship += p->way"
    "order|examples/04_graph.c|snprintf(line, sizeof picture@0@, ")

#== graph_forgets_order
# A removed explicit dependency: which of the two is first is left to the schedule.
set(PROGRAM 04_graph)
set(FILE examples/04_graph.c)
set(OLD [==[
    if (!status) status = svs_graph_add_order(graph, a.pushes, draw);
]==])
set(NEW "")
set(OPTIONS order_is_error=1)
set(FINDS "order|examples/04_graph.c|*p->ship += p->way"
    "order|examples/04_graph.c|snprintf(line, sizeof picture@0@, ")

#== hello_drops_to
# A dropped declaration of an address: no declaration covers its bytes, so that two transfers race.
set(PROGRAM 01_hello)
set(FILE examples/01_hello.c)
set(OLD [==[
    svs_writes(f, t->to);
]==])
set(NEW "")
set(FINDS "race|examples/01_hello.c|*t->to += t->amount")

#== index_drops_neighbours
# Dropped declarations, of indices: drops that wet one cell race.
set(PROGRAM 03_objects_by_index)
set(FILE examples/03_objects_by_index.c)
set(OLD [==[
    for (int k = 0; k < 9; k++) svs_writes_at(]==])
set(NEW [==[
    for (int k = 0; k < 1; k++) svs_writes_at(]==])
set(FINDS "race|examples/03_objects_by_index.c|water@cell(d, k % 3 - 1, k / 3 - 1)@++")

#== links_drops_to
# A dropped declaration, of all that an object reaches.
set(PROGRAM 02_links)
set(FILE examples/02_links.c)
set(OLD [==[
    svs_writes_reach(f, &m->to->svs);
]==])
set(NEW "")
set(DAMAGED TRUE) # the lists
set(FINDS "undeclared|examples/02_links.c|status = svs_link(m->to, first, moved)"
    "undeclared|examples/02_links.c|status = svs_link(moved, next, m->to->first)")

#== links_stores_raw
# A raw link store.
set(PROGRAM 02_links)
set(FILE examples/02_links.c)
set(OLD [==[
if (!status) status = svs_link(moved, next, m->to->first);
]==])
set(NEW [==[
moved->next = m->to->first;
]==])
set(FINDS "undeclared|examples/02_links.c|moved->next = m->to->first")

#== squad_claims_independent
# An `independent` that is not.
set(PROGRAM quakesquad)
set(FILE examples/quakesquad/engine_svs_people.c)
set(OLD [==[
status = svs_graph_add_order(e->graph, blasts[kind], update_people);
]==])
set(NEW [==[
status = svs_graph_set_independent(e->graph, blasts[kind], update_people);
]==])
set(OPTIONS order_is_error=1)
set(FINDS "order|examples/quakesquad/blast.c|hit->fear_frame = frame")

#== squad_drops_list
# A dropped declaration: a person that enters another cell changes the list there.
set(PROGRAM quakesquad)
set(FILE examples/quakesquad/engine_svs_people.c)
set(OLD [==[
        if (it->to != it->from) svs_writes_object(f, &world_list(w, kind, it->to)->svs);
]==])
set(NEW "")
set(DAMAGED TRUE) # the lists
set(FINDS "undeclared|examples/quakesquad/lists.h|to->spare = taken->next" "undeclared|examples/quakesquad/lists.h|to->first = taken")

#== squad_forgets_order
# A removed explicit dependency: people's plans read which people are afraid.
set(PROGRAM quakesquad)
set(FILE examples/quakesquad/engine_svs_people.c)
set(OLD [==[
status = svs_graph_add_order(e->graph, blasts[kind], update_people);
]==])
set(NEW [==[
(void)blasts[kind];
]==])
set(OPTIONS order_is_error=1)
set(FINDS "order|examples/quakesquad/blast.c|hit->fear_frame = frame")

#== squad_reads_bodies
# A write where a read is declared.
set(PROGRAM quakesquad)
set(FILE examples/quakesquad/engine_svs_bombs.c)
set(OLD [==[
i++) svs_writes_object(f, &b->bodies[i]->svs);]==])
set(NEW [==[
i++) svs_reads_object(f, &b->bodies[i]->svs);]==])
set(FINDS "undeclared|examples/quakesquad/blast.c|hit->fear_frame = frame")

#== squad_stores_raw
# A raw link store, in lists that are made of memory objects.
set(PROGRAM quakesquad)
set(ARGUMENTS --reach)
set(FILE examples/quakesquad/blast.c)
set(OLD [==[
        if (!status) status = LINK(w, t, next, *first);
]==])
set(NEW [==[
        t->next = *first;
]==])
set(FINDS "undeclared|examples/quakesquad/blast.c|t->next = *first")
