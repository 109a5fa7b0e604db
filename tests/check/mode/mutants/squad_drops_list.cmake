# A dropped declaration: a person that enters another cell changes the list there.
set(PROGRAM quakesquad)
set(FILE examples/quakesquad/engine_svs_people.c)
set(OLD [==[
        if (it->to != it->from) svs_writes_object(f, &world_list(w, kind, it->to)->svs);
]==])
set(NEW "")
set(DAMAGED TRUE) # the lists
set(FINDS "undeclared|examples/quakesquad/lists.h|to->spare = taken->next" "undeclared|examples/quakesquad/lists.h|to->first = taken")
