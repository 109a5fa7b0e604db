/* The public calls of fibers and threads: they check arguments and states, and call the units
 * below. */
#include "ranks/fiber/counter.h"
#include "ranks/fiber/scheduler.h"
#include "ranks/fiber/stacked.h"
#include "ranks/observe.h"
#include <string.h>

#define REFUSE(status, ...) svs__refuse(ranks == NULL ? NULL : &ranks->log, (status), __VA_ARGS__)

static inline __attribute__((always_inline)) svs_status make(svs_ranks *ranks,
                                                             svs_fiber_function *function,
                                                             const void *state, size_t bytes,
                                                             svs_scheduler *scheduler,
                                                             svs__fiber **made) {
    if (ranks == NULL || function == NULL || (state == NULL && bytes != 0))
        return REFUSE(SVS_E_NULL, "svs_fiber_new or svs_thread_spawn: ranks, function or state is "
                                  "NULL: pass all of them");
    if (scheduler == NULL) scheduler = &ranks->schedulers.fifo;
    if (SVS__UNLIKELY(scheduler->ranks != ranks)) /* ranks.R2 */
        return REFUSE(SVS_E_INVALID, "svs_fiber_new or svs_thread_spawn: the scheduler is of "
                                     "another rank: pass one of this rank");
    *made = svs__fiber_new(ranks, function, bytes, scheduler);
    if (*made == NULL) return SVS_E_NO_MEMORY;
    if (bytes != 0) memcpy((*made)->state, state, bytes);
    return SVS_OK;
}

svs_status svs_fiber_new(svs_ranks *ranks, svs_fiber_function *function, const void *state,
                         size_t bytes, svs_scheduler *scheduler, svs_fiber *fiber) {
    svs__fiber *slot;
    svs_status status;
    if (fiber == NULL) return REFUSE(SVS_E_NULL, "svs_fiber_new: fiber is NULL: pass its address");
    status = make(ranks, function, state, bytes, scheduler, &slot);
    if (status != SVS_OK) return status;
    *fiber = svs__handle_of(slot);
    if (svs__is_observed(ranks)) svs__observe_created(ranks, slot);
    return SVS_OK;
}

static SVS__COLD svs__fiber *refuse_fiber(const svs_ranks *ranks, const char *call, uint32_t slot,
                                          bool ended) {
    svs__refuse_because(&ranks->log,
                        "%s: fiber %u %s: a handle is for one fiber, which is enabled once", call,
                        slot, ended ? "has ended" : "waits, is enabled or executes already");
    return NULL;
}

/* @return the created fiber, or NULL after a message. */
static svs__fiber *created(svs_ranks *ranks, const char *call, svs_fiber fiber) {
    svs__fiber *slot = svs__fiber_of(ranks, fiber);
    if (SVS__LIKELY(slot != NULL && slot->status == SVS__FIBER_CREATED)) return slot;
    return refuse_fiber(ranks, call, fiber.slot, slot == NULL);
}

svs_status svs_fiber_enable(svs_ranks *ranks, svs_fiber fiber) {
    svs__fiber *slot;
    if (ranks == NULL) return REFUSE(SVS_E_NULL, "svs_fiber_enable: ranks is NULL: pass the rank");
    slot = created(ranks, "svs_fiber_enable", fiber);
    return slot == NULL ? SVS_E_FIBER : svs__enable_from(ranks, slot, SVS__FIBER_CREATED);
}

svs_status svs_fiber_free(svs_ranks *ranks, svs_fiber fiber) {
    svs__fiber *slot;
    if (ranks == NULL) return REFUSE(SVS_E_NULL, "svs_fiber_free: ranks is NULL: pass the rank");
    slot = created(ranks, "svs_fiber_free", fiber);
    if (slot == NULL) return SVS_E_FIBER;
    if (slot == ranks->fibers.running) { /* a continuation: the running fiber uses its state */
        ranks->fibers.continued = false;
        slot->generation++;
        svs__fiber_move(ranks, slot, SVS__FIBER_ENABLED);
        svs__fiber_move(ranks, slot, SVS__FIBER_EXECUTES);
        return SVS_OK;
    }
    svs__fiber_free(ranks, slot);
    return SVS_OK;
}

svs_status svs_fiber_hint(svs_ranks *ranks, svs_fiber fiber, int64_t hint) {
    svs__fiber *slot;
    if (ranks == NULL) return REFUSE(SVS_E_NULL, "svs_fiber_hint: ranks is NULL: pass the rank");
    slot = created(ranks, "svs_fiber_hint", fiber);
    if (slot == NULL) return SVS_E_FIBER;
    slot->hint = hint;
    return SVS_OK;
}

/* Why the running fiber cannot continue, or NULL. */
static const char *obstacle(const svs_ranks *ranks) {
    const svs__fibers *fibers = &ranks->fibers;
    if (fibers->in_place)
        return "an in-place fiber or handler cannot continue: use another scheduler or dispatch";
    if (fibers->running == NULL) return "no fiber is running: call it in a fiber";
    if (fibers->running->threaded)
        return "a thread with a stack cannot continue: wait by svs_await()";
    return fibers->continued ? "the fiber has continued already: continue once" : NULL;
}

svs_status svs_fiber_continue(svs_ranks *ranks, svs_fiber_function *next, svs_fiber *fiber) {
    svs__fiber *slot;
    const char *why;
    if (ranks == NULL || next == NULL || fiber == NULL)
        return REFUSE(SVS_E_NULL,
                      "svs_fiber_continue: ranks, next or fiber is NULL: pass all of them");
    why = obstacle(ranks);
    if (why != NULL) return REFUSE(SVS_E_STATE, "svs_fiber_continue: %s", why);
    slot = ranks->fibers.running;
    ranks->fibers.continued = true;
    slot->function = next;
    slot->generation++;
    svs__fiber_move_from(ranks, slot, SVS__FIBER_EXECUTES, SVS__FIBER_CREATED);
    *fiber = svs__handle_of(slot);
    return SVS_OK;
}

svs_status svs__thread_wait(svs_ranks *ranks, svs_counter *counter, int64_t at_least) {
    svs_fiber fiber;
    svs_status status;
    if (ranks == NULL || ranks->fibers.running == NULL)
        return REFUSE(SVS_E_STATE,
                      "SVS_AWAIT: no fiber is running: use it in the function of a thread");
    status = svs_fiber_continue(ranks, ranks->fibers.running->function, &fiber);
    return status == SVS_OK ? svs_counter_wait(ranks, counter, at_least, fiber) : status;
}

svs_status svs_thread_spawn(svs_ranks *ranks, svs_fiber_function *function, const void *state,
                            size_t bytes, svs_scheduler *scheduler) {
    svs__fiber *slot;
    svs_status status;
    if (scheduler != NULL && scheduler->kind == SVS__SCHEDULER_IN_PLACE)
        return REFUSE(SVS_E_STATE,
                      "svs_thread_spawn: a thread cannot run in place: choose another scheduler");
    status = make(ranks, function, state, bytes, scheduler, &slot);
    if (status != SVS_OK) return status;
    slot->threaded = true;
    if (svs__is_observed(ranks)) svs__observe_created(ranks, slot);
    return svs__enable(ranks, slot);
}

svs_status svs_await(svs_ranks *ranks, svs_counter *counter, int64_t at_least) {
    svs__fiber *slot;
    svs_status status;
    if (ranks == NULL || counter == NULL)
        return REFUSE(SVS_E_NULL, "svs_await: ranks or counter is NULL: pass both");
    slot = ranks->fibers.running;
    if (slot == NULL || !slot->threaded || ranks->fibers.in_place)
        return REFUSE(SVS_E_STATE,
                      "svs_await: the caller is not a thread with a stack: start it by "
                      "svs_thread_spawn(), or continue and svs_counter_wait()");
    if (ranks->stopping) return SVS_E_STOPPED;
    if (counter->value >= at_least) return SVS_OK;
    if (svs__counter_is_of_another(ranks, counter)) return svs__counter_refuse(ranks, "svs_await");
    svs__fiber_move_from(ranks, slot, SVS__FIBER_EXECUTES, SVS__FIBER_CREATED);
    status = svs__counter_wait(ranks, counter, at_least, slot, SVS_WAIT_COUNTER);
    svs__stacked_suspend(ranks, slot);
    return ranks->stopping ? SVS_E_STOPPED : status;
}
