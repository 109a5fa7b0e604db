# A hand-off releases whatever some body has made, as the tag says (memobj.O4).
set(FILE src/sched/domain/unpublished.c)
set(SCENARIO owners)
set(OLD [==[
    if (at != NOT_THERE) take_out(f, at);]==])
set(NEW [==[
    if (at != NOT_THERE) take_out(f, at);
    else (void)svs__admission_fresh_leave(context->env->admission, object->key);]==])
