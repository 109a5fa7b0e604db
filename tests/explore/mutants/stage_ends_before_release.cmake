# The next stage begins before the last one has released its hold (sched.P3).
set(FILE src/sched/domain/stage.c)
set(SCENARIO offered)
set(OLD [==[
    bool blocked = svs__admission_release(domain->env->admission, &stage->hold);
    svs__env_wake(domain->env, blocked);]==])
set(NEW [==[
    bool blocked;
    svs__store_release(&stage->left, 0);
    blocked = svs__admission_release(domain->env->admission, &stage->hold);
    svs__env_wake(domain->env, blocked);]==])
