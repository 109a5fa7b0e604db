# Bits are added without holding the master (memobj.N2).
set(FILE src/memobj/reach/reach.c)
set(SCENARIO links)
set(OLD [==[
    if (!svs__master_try(m, &version)) {
        version = svs__master_hold(m);]==])
set(NEW [==[
    if (false) {
        version = svs__master_hold(m);]==])
