# A root is begun by whoever has a root to come, in any order (W4).
set(FILE src/stealtree/replay.c)
set(SCENARIO replay)
set(OLD [==[
           svs__load_acquire(&replay->turn) == worker->index && is_due(replay, next);]==])
set(NEW [==[
           is_due(replay, next);]==])
