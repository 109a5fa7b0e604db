# A word recurs after a drop (worksteal.D7).
set(FILE src/worksteal/deque.c)
set(SCENARIO continuations)
set(OLD [==[
svs__store_relaxed(&deque->word, turned(word, index, index));
}

/* Raises the steal request. */]==])
set(NEW [==[
svs__store_relaxed(&deque->word, turned(word, index, index) - TURN);
}

/* Raises the steal request. */]==])
