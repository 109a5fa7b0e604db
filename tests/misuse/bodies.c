/* Misuse in bodies, and of their context elsewhere: a failure that the body ignores fails the run
 * all the same. */
#include "misuse.h"

#include <sched.h>
#include <stdatomic.h>

#define BODY(name, call)                                                                           \
    static svs_status name##_inside(setting *s, svs_context *context) {                            \
        job j[2] = {{0}, {0}};                                                                     \
        (void)s, (void)context, (void)j;                                                           \
        return call;                                                                               \
    }                                                                                              \
    static svs_status name(setting *s) { return stage_fail(s, name##_inside); }

BODY(send_undeclared, svs_send(context, s->stranger, j, 1, sizeof j[0]))
BODY(send_to_another_graph, svs_send(context, s->foreign_task, j, 1, sizeof j[0]))
BODY(send_nowhere, svs_send(context, NULL, j, 1, sizeof j[0]))
BODY(send_nothing, svs_send(context, s->sink, NULL, 1, sizeof j[0]))
BODY(send_other_size, svs_send(context, s->sink, j, 1, sizeof j))
BODY(send_too_many, svs_send(context, s->sink, j, SIZE_MAX / 8, sizeof j[0]))
BODY(publish_nothing, svs_publish(context, NULL))
BODY(publish_foreign, svs_publish(context, &s->foreign->svs))
BODY(answer_unknown, -4711)
BODY(fail_with_nothing, svs_context_fail(context, SVS_OK, "all is well"))

static svs_later *later;
BODY(later_of_nothing, svs_complete_later(context, NULL, &later))
BODY(later_nowhere, svs_complete_later(context, j, NULL))
static uint64_t no_record[8];
BODY(later_of_another, svs_complete_later(context, &no_record[6], &later))
static svs_status later_outside(setting *s) { return svs_complete_later(NULL, s, &later); }

static svs_status publish_dead_inside(setting *s, svs_context *context) {
    node *made;
    svs_status status = svs_object_new(s->world, &node_type, (void **)&made);
    if (!status) status = svs_object_free(&made->svs);
    return status ? status : svs_publish(context, &made->svs);
}
static svs_status publish_dead(setting *s) { return stage_fail(s, publish_dead_inside); }

/* ---- a context elsewhere ---- */

static svs_status fail_without_context(setting *s) { return svs_context_fail(NULL, 5, "lost"); }

static svs_context *lent;
static svs_status send_lent(setting *s) {
    job j = {0};
    return svs_send(lent, s->sink, &j, 1, sizeof j);
}
static svs_status publish_lent(setting *s) { return svs_publish(lent, &s->mine->svs); }
static svs_status async_lent(setting *s) {
    return svs_context_async(lent) == NULL ? SVS_E_OUTSIDE : SVS_OK;
}

static svs_status (*with_lent)(setting *s);
static svs_status lend(setting *s) { return with_lent(s); }

/* The context of a body that runs, used by another thread: stage_beside() with a context. */
static svs_status keep_context(setting *s, svs_context *context) {
    lent = context;
    return SVS_OK;
}
static svs_status elsewhere(setting *s, svs_status (*call)(setting *s)) {
    svs_status status = stage_act(s, keep_context);
    with_lent = call;
    return status ? status : stage_beside(s, lend);
}
static svs_status send_elsewhere(setting *s) { return elsewhere(s, send_lent); }
static svs_status publish_elsewhere(setting *s) { return elsewhere(s, publish_lent); }
static svs_status async_elsewhere(setting *s) { return elsewhere(s, async_lent); }

/* An async asks on a thief: the body waits for it, but not in a finish, where it would run it. */
static atomic_int asked; /* 1: and was answered, 2: and was refused */
static void ask_for_context(svs_async_context *async, void *argument) {
    atomic_store(&asked, svs_context_async(lent) == NULL ? 2 : 1);
}
static void do_nothing(svs_async_context *async, void *argument) {}
static svs_status ask_on_a_thief(setting *s, svs_context *context) {
    svs_async_context *async = svs_context_async(context);
    lent = context;
    atomic_store(&asked, 0);
    svs_async(async, ask_for_context, NULL, 0);
    while (!atomic_load(&asked)) {
        svs_async(async, do_nothing, NULL, 0); /* which looks whether thieves starve */
        sched_yield();
    }
    return atomic_load(&asked) == 2 ? SVS_E_OUTSIDE : SVS_OK;
}
static svs_status context_in_async(setting *s) { return stage_fail(s, ask_on_a_thief); }

static svs_status send_without_context(setting *s) {
    job j = {0};
    return svs_send(NULL, s->sink, &j, 1, sizeof j);
}

const misuse misuses_of_bodies[] = {
    {"svs_send: to a task that was not declared", SVS_E_UNDECLARED,
     "svs_send from job to job: not declared: call svs_graph_add_flow() when the graph is built",
     send_undeclared, false},
    {"svs_send: to a task of another graph", SVS_E_UNDECLARED,
     "a task of another graph: send to tasks of the body's own", send_to_another_graph, false},
    {"svs_send: no consumer", SVS_E_NULL, "svs_send from job to NULL: no task", send_nowhere,
     false},
    {"svs_send: no items", SVS_E_NULL, "svs_send from job to job: no items", send_nothing, false},
    {"svs_send: items of another size", SVS_E_INVALID,
     "an item of 8 bytes, but the task's items have 4: send with the function that SVS_TASK has "
     "made",
     send_other_size, false},
    {"svs_send: more than 2^31 items at once", SVS_E_LIMIT,
     "svs_send from job to job: more than 2^31 items: send them in parts", send_too_many, false},
    {"svs_send: no context", SVS_E_OUTSIDE, "svs_send: no context", send_without_context, true},
    {"svs_send: from another thread than the body's", SVS_E_OUTSIDE,
     "svs_send: neither from the body that the context was handed to nor from an async of it",
     send_elsewhere, false},
    {"svs_publish: no object", SVS_E_NULL, "svs_publish: no object: pass one", publish_nothing,
     false},
    {"svs_publish: an object of another world", SVS_E_WORLD,
     "svs_publish: an object of another world, or never initialised", publish_foreign, false},
    {"svs_publish: an object that was freed", SVS_E_FREED,
     "svs_publish: an object that was freed: publish it before you free it", publish_dead, false},
    {"svs_publish: from another thread than the body's", SVS_E_OUTSIDE,
     "svs_publish: neither from the body that the context was handed to", publish_elsewhere, false},
    {"svs_context_async: in another thread than the body's", SVS_E_OUTSIDE,
     "svs_context_async: neither from the body that the context was handed to", async_elsewhere,
     false},
    {"svs_context_async: from an async that another worker runs", SVS_E_OUTSIDE,
     "svs_context_async: from an async that another worker runs: use the async context that the "
     "async",
     context_in_async, false},
    {"a body that returns a negative number that is no status", -4711,
     "This number is no status of this library; look where it comes from", answer_unknown, false},
    {"svs_context_fail: with SVS_OK", SVS_E_INVALID,
     "svs_context_fail: SVS_OK is no failure: pass another status", fail_with_nothing, false},
    {"svs_context_fail: no context", SVS_E_OUTSIDE,
     "svs_context_fail: no context: pass the one that the body was handed", fail_without_context,
     true},
    {"svs_complete_later: no item", SVS_E_NULL,
     "svs_complete_later: no item: pass the one that the body was handed", later_of_nothing, false},
    {"svs_complete_later: nowhere to put it", SVS_E_NULL,
     "svs_complete_later: no place for the result", later_nowhere, false},
    {"svs_complete_later: another item than the instance's", SVS_E_INVALID,
     "svs_complete_later: another item than the instance's", later_of_another, false},
    {"svs_complete_later: no context", SVS_E_OUTSIDE, "svs_complete_later: no context",
     later_outside, true},
    {NULL, 0, NULL, NULL, false}};
