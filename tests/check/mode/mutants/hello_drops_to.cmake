# A dropped declaration of an address: no declaration covers its bytes, so that two transfers race.
set(PROGRAM 01_hello)
set(FILE examples/01_hello.c)
set(OLD [==[
    svs_writes(f, t->to);
]==])
set(NEW "")
set(FINDS "race|examples/01_hello.c|*t->to += t->amount")
