# A send that finds no memory keeps the inbox.
set(FILE src/sched/domain/inbox.c)
set(SCENARIO memory_refused)
set(OLD [==[
    if (!make_room(task, count, &chain)) {
        svs__lock_release(&inbox->lock);
]==])
set(NEW [==[
    if (!make_room(task, count, &chain)) {
]==])
