# A list never uses a slot again (memobj.N4).
set(FILE src/memobj/reach/list.c)
set(DIFFERENTIAL leaves)
set(OLD [==[
    if (chunk->free) {]==])
set(NEW [==[
    if (chunk->free > chunk->capacity) {]==])
