# Two make one object a master, by stores (memobj.O1).
set(FILE src/memobj/reach/reach.c)
set(SCENARIO links)
set(OLD [==[
        if (svs__cas_weak_acq_rel(reach, &was, now)) {
            svs__master_enlist(world, own);]==])
set(NEW [==[
        svs__store_release(reach, now);
        if (was != now) {
            svs__master_enlist(world, own);]==])
