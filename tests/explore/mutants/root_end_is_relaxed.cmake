# A run ends without publishing its writes.
set(FILE src/worksteal/root.c)
set(SCENARIO workfirst)
set(OLD [==[
svs__store_release(&r->state, ENDED);]==])
set(NEW [==[
svs__store_relaxed(&r->state, ENDED);]==])
