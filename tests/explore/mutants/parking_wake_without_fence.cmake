# A waker looks for sleepers before its work is visible (worksteal.P2).
set(FILE src/worksteal/parking.h)
set(SCENARIO parking)
set(OLD [==[
    svs__fence_seq(&parking->sleepers);
]==])
set(NEW [==[
]==])
