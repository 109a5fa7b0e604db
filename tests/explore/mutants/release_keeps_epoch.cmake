# A release does not notify the refused instances.
set(FILE src/sched/admission/admission.c)
set(SCENARIO progressive)
set(OLD [==[
    svs__store_release(&a->epoch, svs__load_relaxed(&a->epoch) + 1);
]==])
set(NEW [==[
]==])
