# An item that was sent announces nothing.
set(FILE src/sched/domain/domain.c)
set(SCENARIO progressive)
set(OLD [==[
    (void)svs__fetch_add_release(&domain->incoming_count, 1);
]==])
set(NEW [==[
]==])
