# The number of a refresh has 32 bits, and begins close to its end (memobj.F4).
set(FILE src/memobj/reach/refresh.c)
set(DIFFERENTIAL refresh)
set(OLD [==[
    world->refresh_mark++;                /* 64 bits: no mark is used again */
    SVS__ASSERT(world->refresh_mark > 0); /* memobj.F4 */]==])
set(NEW [==[
    world->refresh_mark = (uint32_t)(svs__load_relaxed(&world->refreshes) - 4);]==])
