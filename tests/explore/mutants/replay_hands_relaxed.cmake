# The start of a phase is handed over before it is published (stealtree.W2).
set(FILE src/stealtree/replay.c)
set(SCENARIO replay)
set(OLD [==[
    svs__store_release(&replay->seats[worker].handed[phase], what);]==])
set(NEW [==[
    svs__store_relaxed(&replay->seats[worker].handed[phase], what);]==])
