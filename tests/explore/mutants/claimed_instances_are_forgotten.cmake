# Instances that a worker has claimed and not run at the end of its turn never run (worksteal.Q4).
set(FILE src/sched/graph/run.c)
set(SCENARIO turns)
set(OLD [==[
    if (SVS__UNLIKELY(context->claimed.count)) {
        svs__stage_run_claimed(context);
        return true;
    }
]==])
set(NEW [==[
]==])
