# A stage admits a set that it walked before a release, without a second walk (sched.A6).
set(FILE src/sched/domain/stage_arrivals.c)
set(SCENARIO reading_staged)
set(OLD [==[
    unchanged = svs__admission_epoch(admission) == c->epoch;]==])
set(NEW [==[
    unchanged = svs__admission_epoch(admission) == c->epoch || c;]==])
