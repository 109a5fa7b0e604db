# What a worker has claimed and not run when its turn was over never runs (Q4).
set(FILE src/sched/run.c)
set(SCENARIO turns)
set(OLD [==[
    if (SVS__UNLIKELY(context->claimed.count)) {
        svs__stage_run_claimed(context);
        return true;
    }
]==])
set(NEW [==[
]==])
