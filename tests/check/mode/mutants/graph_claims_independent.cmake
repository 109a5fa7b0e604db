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
