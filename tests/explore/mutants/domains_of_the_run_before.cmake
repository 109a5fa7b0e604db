# The domains of the previous run take the items that were sent before a run.
set(FILE src/sched/graph/run.c)
set(SCENARIO draining)
set(OLD [==[
    /* Before workers look at the run: a domain of the run before would take what was sent since. */
    reset_domains(run);
]==])
set(NEW [==[
]==])
