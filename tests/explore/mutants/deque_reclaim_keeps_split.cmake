# The owner takes back without telling the thieves.
set(FILE src/worksteal/deque.c)
set(SCENARIO deque)
set(OLD [==[
} while (!svs__cas_weak_relaxed(&deque->word, &word, turned(word, split, tail_of(word))));]==])
set(NEW [==[
} while (false);]==])
