# A known record is taken by its elements although an object was freed since (sched.Q5).
set(FILE src/sched/domain/stage_deferred.c)
set(SCENARIO freed)
set(OLD [==[
    if (SVS__LIKELY(!s->pending->freed_seen) || !svs__pending_names_freed(s->pending, record))
        return false;
]==])
set(NEW [==[
    if (record) return false;
]==])
