# A detach does not see the workers inside of the source (worksteal.Q1).
set(FILE src/worksteal/source.c)
set(SCENARIO runtime)
set(OLD [==[
(void)svs__exchange_seq(&sources->slots[slot].source, NULL);]==])
set(NEW [==[
svs__store_relaxed(&sources->slots[slot].source, NULL);]==])
