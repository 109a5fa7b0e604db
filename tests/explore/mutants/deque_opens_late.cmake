# The owner opens the limit after it clears the steal request: a thief that starves in between closes it in vain (worksteal.D6).
set(FILE src/worksteal/deque.c)
set(SCENARIO deque)
set(OLD [==[
    svs__store_release(&deque->hungry, 0);]==])
set(NEW [==[
    svs__store_release(&deque->hungry, 0);
    svs__store_relaxed(SVS__ASYNC_LIMIT(&deque->async), deque->open);]==])
