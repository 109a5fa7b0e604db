# A word recurs after a reclaim (worksteal.D7).
set(FILE src/worksteal/deque.c)
set(SCENARIO continuations)
set(OLD [==[
&word, turned(word, split, tail_of(word))));]==])
set(NEW [==[
&word, turned(word, split, tail_of(word)) - TURN));]==])
