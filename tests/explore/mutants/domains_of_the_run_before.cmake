# What is sent before a run is taken by the domains of the run before.
set(FILE src/sched/run.c)
set(SCENARIO draining)
set(OLD [==[
    /* Before workers look at the run: a domain of the run before would take what was sent since. */
    reset_domains(run);
]==])
set(NEW [==[
]==])
