# A raw link store.
set(PROGRAM 02_links)
set(FILE examples/02_links.c)
set(OLD [==[
if (!status) status = svs_link(moved, next, m->to->first);
]==])
set(NEW [==[
moved->next = m->to->first;
]==])
set(FINDS "undeclared|examples/02_links.c|moved->next = m->to->first")
