# The same, by the workers of a refresh (memobj.N2, refresh 5).
set(FILE src/memobj/reach/reach.c)
set(SCENARIO refresh)
set(OLD [==[
    if (!svs__master_try(m, &version)) {
        version = svs__master_hold(m);]==])
set(NEW [==[
    if (false) {
        version = svs__master_hold(m);]==])
