# The spawner does not see what its children wrote (worksteal.F3).
set(FILE src/worksteal/finish.c)
set(SCENARIO finish)
set(OLD [==[
if (svs__load_acquire(SVS__SLOT_STATE(last - 1)) == ENDED) last--;]==])
set(NEW [==[
if (svs__load_relaxed(SVS__SLOT_STATE(last - 1)) == ENDED) last--;]==])
