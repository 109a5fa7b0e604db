# An `independent` that is not.
set(PROGRAM quakesquad)
set(FILE examples/quakesquad/engine_svs.c)
set(OLD [==[
status = svs_graph_order(e->graph, e->blast[kind], people);
]==])
set(NEW [==[
status = svs_graph_independent(e->graph, e->blast[kind], people);
]==])
set(OPTIONS order_is_error=1)
set(FINDS "order|examples/quakesquad/blast.c|who->fear_frame = frame")
