# A waker wakes, and changes the epoch after (worksteal.P3).
set(FILE src/worksteal/parking.c)
set(SCENARIO parking)
set(OLD [==[
    (void)svs__fetch_add_release(&parking->epoch, 1);
    svs__futex_wake(&parking->epoch, count);]==])
set(NEW [==[
    svs__futex_wake(&parking->epoch, count);
    (void)svs__fetch_add_release(&parking->epoch, 1);]==])
