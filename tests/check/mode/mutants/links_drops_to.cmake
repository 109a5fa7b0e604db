# A dropped declaration, of all that an object reaches.
set(PROGRAM 02_links)
set(FILE examples/02_links.c)
set(OLD [==[
    svs_writes_reach(f, &m->to->svs);
]==])
set(NEW "")
set(DAMAGED TRUE) # the lists
set(FINDS "undeclared|examples/02_links.c|status = svs_link(m->to, first, moved)"
    "undeclared|examples/02_links.c|status = svs_link(moved, next, m->to->first)")
