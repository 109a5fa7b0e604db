# The limit is closed before the flag is raised: the owner opens it in between, and no thief closes it again (worksteal.D6).
set(FILE src/worksteal/deque.c)
set(SCENARIO deque)
set(OLD [==[
    (void)svs__exchange_acq_rel(&deque->hungry, 1);
    /* [worksteal.D6] release: not before the exchange above, or content() could come in between. */
    svs__store_release(SVS__ASYNC_LIMIT(&deque->async), NULL);]==])
set(NEW [==[
    svs__store_release(SVS__ASYNC_LIMIT(&deque->async), NULL);
    (void)svs__exchange_acq_rel(&deque->hungry, 1);]==])
