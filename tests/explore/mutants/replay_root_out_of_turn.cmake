# Any worker with a root to come begins it, in any order (stealtree.W4).
set(FILE src/stealtree/replay.c)
set(SCENARIO replay)
set(OLD [==[
           svs__load_acquire(&replay->turn) == worker->index && is_due(replay, next);]==])
set(NEW [==[
           is_due(replay, next);]==])
