# A set that was built before an object was freed is admitted after (sched.Q5).
set(FILE src/sched/domain/stage_arrivals.c)
set(SCENARIO freed)
set(OLD [==[
    outdated = svs__freed_last(context->set.world) != c->freed;
]==])
set(NEW [==[
    outdated = false;
]==])
