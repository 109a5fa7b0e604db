# Asyncs of one body count what they make by load and store (memobj.O3).
set(FILE src/memobj/object.c)
set(SCENARIO body_asyncs)
set(OLD [==[
    if (maker) return svs__key(maker->order, svs__holder_number(maker, &maker->made, 1) + 1);
]==])
set(NEW [==[
    if (maker) {
        uint64_t number = svs__load_relaxed(&maker->made) + 1;
        svs__store_relaxed(&maker->made, number);
        return svs__key(maker->order, number);
    }
]==])
