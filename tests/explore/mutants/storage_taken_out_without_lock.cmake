# A storage leaves its list while another thread puts one into it.
set(FILE src/memobj/storage.c)
set(SCENARIO makers)
set(OLD [==[
    svs__lock_acquire(&list->lock);
    link_out(list, storage);
    svs__lock_release(&list->lock);]==])
set(NEW [==[
    svs__storage *previous = previous_of(storage), *next = svs__load_relaxed(&storage->next);
    svs__store_relaxed(previous ? &previous->next : &list->first, next);
    if (next) set_previous(next, previous);
    (void)link_out;]==])
