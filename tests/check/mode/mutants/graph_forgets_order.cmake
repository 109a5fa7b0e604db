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
