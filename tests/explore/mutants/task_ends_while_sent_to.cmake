# A task ends while its producers may still send to it (sched.T2).
set(FILE src/sched/graph/run.c)
set(SCENARIO draining)
set(OLD [==[
    svs__store_relaxed(&task->outstanding, svs__node_of(task)->producers.count + 1 + queued);]==])
set(NEW [==[
    svs__store_relaxed(&task->outstanding, 1 + queued);]==])
