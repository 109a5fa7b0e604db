# An object is freed outside while another thread's free refreshes (memobj.W4).
set(FILE src/memobj/object.c)
set(SCENARIO makers_freeing)
set(OLD [==[
    free_one(world, object);
    svs__world_tidy(world, NULL);
    svs__lock_release(&world->entry);]==])
set(NEW [==[
    svs__lock_release(&world->entry);
    free_one(world, object);
    svs__world_quiesce(world, NULL);]==])
