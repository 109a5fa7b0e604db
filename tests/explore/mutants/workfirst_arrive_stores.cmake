# Two that arrive at once count as one (J1).
set(FILE src/worksteal/workfirst.c)
set(SCENARIO workfirst)
set(OLD [==[
return svs__fetch_sub_acq_rel(&join->left, by) == by;]==])
set(NEW [==[
uint64_t left = svs__load_acquire(&join->left);
    svs__store_release(&join->left, left - by);
    return left == by;]==])
