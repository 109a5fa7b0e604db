# A worker that asks for a root in vain, and sleeps, does not count as waiting (stealtree.W3).
set(FILE src/stealtree/replay.c)
set(SCENARIO replay_parted_three)
set(OLD [==[
    return next != NULL && next->start.kind == SVS__PHASE_ROOT &&
           svs__load_acquire(&replay->turn) == worker->index && is_due(replay, next);]==])
set(NEW [==[
    if (next == NULL || next->start.kind != SVS__PHASE_ROOT ||
        svs__load_acquire(&replay->turn) != worker->index || !is_due(replay, next))
        return false;
    move(replay, &replay->seats[worker->index]);
    return true;]==])
