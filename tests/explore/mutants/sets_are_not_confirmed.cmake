# A walked set is not walked again after its admission (sched.A6).
set(FILE src/sched/domain/instance.c)
set(SCENARIO reading_progressive)
set(STRESS relinking)
set(OLD [==[
    if (unchanged || !needs_confirmation(&context->set) || svs__set_confirm(&context->set))]==])
set(NEW [==[
    if (unchanged || !needs_confirmation(&context->set) || context->set.count)]==])
