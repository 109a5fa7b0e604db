# The next holder does not see the writes of the last one.
set(FILE src/base/lock.h)
set(SCENARIO lock)
set(OLD [==[
svs__exchange_release(&lock->word, 0)]==])
set(NEW [==[
svs__exchange_relaxed(&lock->word, 0)]==])
