# A release wakes no thread (L2).
set(FILE src/base/lock.h)
set(SCENARIO lock)
set(OLD [==[
if (svs__exchange_release(&lock->word, 0) == 2) svs__lock_wake(lock);]==])
set(NEW [==[
(void)svs__exchange_release(&lock->word, 0);]==])
