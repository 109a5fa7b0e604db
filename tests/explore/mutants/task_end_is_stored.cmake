# The count of outstanding work is decremented by a load and a store (sched.T1 to sched.T4).
set(FILE src/sched/graph/run.c)
set(SCENARIO staged)
set(OLD [==[
    uint32_t outstanding = svs__fetch_sub_acq_rel(&task->outstanding, count);
]==])
set(NEW [==[
    uint32_t outstanding = (uint32_t)svs__load_acquire(&task->outstanding);
    svs__store_release(&task->outstanding, outstanding - count);
]==])
