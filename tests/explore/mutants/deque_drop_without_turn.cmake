# A word comes back after a drop (D7).
set(FILE src/worksteal/deque.c)
set(SCENARIO continuations)
set(OLD [==[
svs__store_relaxed(&deque->word, turned(word, index, index));
}

static void starve]==])
set(NEW [==[
svs__store_relaxed(&deque->word, turned(word, index, index) - TURN);
}

static void starve]==])
