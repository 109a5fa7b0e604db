# The end of a child does not publish its writes (worksteal.F3).
set(FILE src/worksteal/finish.c)
set(SCENARIO finish)
set(OLD [==[
svs__exchange_release(SVS__SLOT_STATE(slot), ENDED);]==])
set(NEW [==[
svs__exchange_relaxed(SVS__SLOT_STATE(slot), ENDED);]==])
