# A sleeper commits to the epoch of now instead of that of its prepare (worksteal.P3).
set(FILE src/worksteal/parking.c)
set(SCENARIO parking)
set(OLD [==[
while (svs__load_acquire(&parking->epoch) == epoch) svs__futex_wait(&parking->epoch, epoch);]==])
set(NEW [==[
epoch = svs__load_acquire(&parking->epoch);
    while (svs__load_acquire(&parking->epoch) == epoch) svs__futex_wait(&parking->epoch, epoch);]==])
