# Two claim the same instances of a stage.
set(FILE src/sched/staged.c)
set(SCENARIO staged)
set(OLD [==[
claim = svs__fetch_add_acquire(&stage->claim, grain);]==])
set(NEW [==[
claim = svs__load_acquire(&stage->claim);
    svs__store_release(&stage->claim, claim + grain);]==])
