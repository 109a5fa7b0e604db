# A thief reads whether the spawner sleeps, and says by a store that the child has ended (worksteal.F3).
set(FILE src/worksteal/finish.c)
set(SCENARIO finish)
set(OLD [==[
state = svs__exchange_release(SVS__SLOT_STATE(slot), ENDED);]==])
set(NEW [==[
state = svs__load_relaxed(SVS__SLOT_STATE(slot));
    svs__store_release(SVS__SLOT_STATE(slot), ENDED);]==])
