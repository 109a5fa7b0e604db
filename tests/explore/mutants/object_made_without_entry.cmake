# An object with members is made outside while a refresh releases masters (memobj.W4).
set(FILE src/memobj/object.c)
set(SCENARIO makers)
set(OLD [==[
    svs__lock_acquire(&world->entry);
    status = initialise(object, world, type, holder);
    svs__lock_release(&world->entry);]==])
set(NEW [==[
    status = initialise(object, world, type, holder);]==])
