# A thief runs a child in a context of its own (worksteal.F5).
set(FILE src/worksteal/finish.c)
set(SCENARIO body_asyncs)
set(OLD [==[
    worker->deque.context = svs__state_context(state); /* worksteal.F5 */
]==])
set(NEW [==[
    (void)state;
]==])
