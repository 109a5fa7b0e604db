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
