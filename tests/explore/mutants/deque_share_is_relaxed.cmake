# Slots are shared before they are published (worksteal.D4).
set(FILE src/worksteal/deque.c)
set(SCENARIO deque)
set(OLD [==[
(void)svs__fetch_add_release(&deque->word, (uint64_t)count << 16);]==])
set(NEW [==[
(void)svs__fetch_add_relaxed(&deque->word, (uint64_t)count << 16);]==])
