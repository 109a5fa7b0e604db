# The owner reclaims by a store, although thieves may steal meanwhile (worksteal.D3).
set(FILE src/worksteal/deque.c)
set(SCENARIO deque)
set(OLD [==[
} while (!svs__cas_weak_relaxed(&deque->word, &word, turned(word, split, tail_of(word))));]==])
set(NEW [==[
    svs__store_relaxed(&deque->word, turned(word, split, tail_of(word)));
    } while (false);]==])
