# A thief takes by a store.
set(FILE src/worksteal/deque.c)
set(SCENARIO deque)
set(OLD [==[
if (!svs__cas_strong_acquire(&deque->word, &word, seen + 1)) return false;]==])
set(NEW [==[
if (svs__load_acquire(&deque->word) != word) return false;
    svs__store_release(&deque->word, seen + 1);]==])
