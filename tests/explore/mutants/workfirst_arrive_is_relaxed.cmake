# The worker that resumes a finish does not see the children's writes (worksteal.J1).
set(FILE src/worksteal/workfirst.c)
set(SCENARIO workfirst)
set(OLD [==[
svs__fetch_sub_acq_rel(&join->left, by)]==])
set(NEW [==[
svs__fetch_sub_relaxed(&join->left, by)]==])
