# A thread that has slept takes the lock as if no other thread slept (base.L2).
set(FILE src/base/lock.c)
set(SCENARIO lock)
set(OLD [==[
while (svs__exchange_acquire(&lock->word, 2) != 0) svs__futex_wait(&lock->word, 2);]==])
set(NEW [==[
while (svs__exchange_acquire(&lock->word, 2) != 0) svs__futex_wait(&lock->word, 2);
    svs__store_relaxed(&lock->word, 1);]==])
