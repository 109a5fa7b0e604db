# A stage that is run while it is made may end before it is complete (sched.P2).
set(FILE src/sched/domain/stage.c)
set(SCENARIO offered)
set(OLD [==[
    svs__store_relaxed(&stage->left, 2 + count);]==])
set(NEW [==[
    svs__store_relaxed(&stage->left, 1 + count);]==])
