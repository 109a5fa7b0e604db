# An instance is admitted with a set of before an object was freed.
set(FILE src/sched/domain/instance.c)
set(SCENARIO freed)
set(OLD [==[
    if (!unchanged && svs__freed_last(context->set.world) != freed) context->set.walked = true;
]==])
set(NEW [==[
    (void)freed;
]==])
