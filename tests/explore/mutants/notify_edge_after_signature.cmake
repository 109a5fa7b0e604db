# A signature is read before the edge is there (memobj.N3).
set(FILE src/memobj/reach/notify.c)
set(SCENARIO ring)
set(OLD [==[
    if (slot < SVS__NOTIFY_SLOTS) {
        version = svs__master_hold(of);]==])
set(NEW [==[
    if (bits) svs__master_snapshot(of, bits, svs__master_words(world));
    bits = NULL;
    if (slot < SVS__NOTIFY_SLOTS) {
        version = svs__master_hold(of);]==])
