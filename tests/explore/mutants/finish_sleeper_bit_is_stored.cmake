# The spawner says by a store that it sleeps (worksteal.F3).
set(FILE src/worksteal/finish.c)
set(SCENARIO finish)
set(OLD [==[
    if (((uintptr_t)state & SLEEPER) == 0 &&
        !svs__cas_strong_relaxed(word, &state, (void *)((uintptr_t)state | SLEEPER)))
        return;
]==])
set(NEW [==[
    if (((uintptr_t)state & SLEEPER) == 0)
        svs__store_relaxed(word, (void *)((uintptr_t)state | SLEEPER));
]==])
