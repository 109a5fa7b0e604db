# The count of outstanding work is decremented by a load and a store (sched.T1 to sched.T4).
set(FILE src/sched/graph/run.c)
set(SCENARIO staged)
set(OLD [==[
    if (svs__fetch_sub_acq_rel(&task->outstanding, count) != count) return false;]==])
set(NEW [==[
    uint32_t left = (uint32_t)svs__load_acquire(&task->outstanding);
    svs__store_release(&task->outstanding, left - count);
    if (left != count) return false;]==])
