# The limit is closed before anybody can be seen to be hungry: the owner opens it, and hears of nobody (D6).
set(FILE src/worksteal/deque.c)
set(SCENARIO deque)
set(OLD [==[
    svs__store_release(SVS__STRAND_LIMIT(&deque->strand), NULL);]==])
set(NEW [==[
    svs__store_relaxed(SVS__STRAND_LIMIT(&deque->strand), NULL);]==])
