# The domains of the previous run take the items that were sent before a run.
set(FILE src/sched/graph/run.c)
set(SCENARIO draining)
set(OLD [==[
    /* Before workers see the run: a domain of the last run would take items sent since. */
    reset_domains(run);
]==])
set(NEW [==[
]==])
