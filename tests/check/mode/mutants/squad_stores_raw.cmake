# A raw link store, in lists that are made of memory objects.
set(PROGRAM quakesquad)
set(ARGUMENTS --reach)
set(FILE examples/quakesquad/blast.c)
set(OLD [==[
        if (!status) status = LINK(w, t, next, *first);
]==])
set(NEW [==[
        t->next = *first;
]==])
set(FINDS "undeclared|examples/quakesquad/blast.c|t->next = *first")
