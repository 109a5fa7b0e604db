# A word comes back after a reclaim (D7).
set(FILE src/worksteal/deque.c)
set(SCENARIO continuations)
set(OLD [==[
&word, turned(word, split, tail_of(word))));]==])
set(NEW [==[
&word, turned(word, split, tail_of(word)) - TURN));]==])
