# The last instance of a stage ends it without seeing the writes of the others.
set(FILE src/sched/domain/stage.c)
set(SCENARIO staged)
set(OLD [==[
svs__fetch_sub_acq_rel(&domain->stage.left, count);]==])
set(NEW [==[
svs__fetch_sub_relaxed(&domain->stage.left, count);]==])
