# A release wakes no thread (base.L2).
set(FILE src/base/lock.h)
set(SCENARIO lock)
set(OLD [==[
    if (held == 2) svs__lock_wake(lock);
]==])
set(NEW [==[
    (void)held;
]==])
