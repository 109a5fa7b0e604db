# Two arrivals at the same time count as one (worksteal.J1).
set(FILE src/worksteal/workfirst.c)
set(SCENARIO workfirst)
set(OLD [==[
uint64_t left = svs__fetch_sub_acq_rel(&join->left, by);
]==])
set(NEW [==[
uint64_t left = svs__load_acquire(&join->left);
    svs__store_release(&join->left, left - by);
]==])
