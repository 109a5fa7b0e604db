# A word comes back after a drop (D7).
set(FILE src/worksteal/deque.c)
set(SCENARIO continuations)
set(OLD [==[
svs__store_relaxed(&deque->word, turned(word, index, index));
}

/* Asks the owner for something to steal. */]==])
set(NEW [==[
svs__store_relaxed(&deque->word, turned(word, index, index) - TURN);
}

/* Asks the owner for something to steal. */]==])
