# A start that fails leaves the workers that it has started (threads).
set(FILE src/worksteal/lifetime.c)
set(SCENARIO threads_refused)
set(OLD [==[
        join_workers(runtime, i);
]==])
set(NEW [==[
]==])
