# Asyncs of one body add to its list at once (sched.O5).
set(FILE src/sched/domain/unpublished.c)
set(SCENARIO body_asyncs)
set(OLD [==[
    if (context->holder.shared) svs__lock_acquire(&context->fresh.lock);
]==])
set(NEW [==[
    (void)context;
]==])
