# Two claim the same instances of a stage.
set(FILE src/sched/domain/stage.c)
set(SCENARIO staged)
set(OLD [==[
if (svs__cas_weak_acquire(&stage->claim, &claim, claim + count)) return count;]==])
set(NEW [==[
svs__store_release(&stage->claim, claim + count);
        return count;]==])
