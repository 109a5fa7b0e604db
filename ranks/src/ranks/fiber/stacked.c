#include "ranks/fiber/stacked.h"

/* Argument of the first function on a thread's stack. */
typedef struct beginning {
    svs_ranks *ranks;
    svs__fiber *slot;
} beginning;

/* Called first on a thread's stack: tells the sanitizers of the stack of the loop, which need not
 * be the stack of the operating system's thread. */
static void arrive(svs__place *loop) {
#if defined(SVS__ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(NULL, &loop->low, &loop->bytes);
#else
    (void)loop;
    svs__place_arrive();
#endif
}

static void begin(void *argument) {
    beginning *given = argument;
    svs_ranks *ranks = given->ranks;
    svs__fiber *slot = given->slot;
    svs_status status;
    arrive(&ranks->place);
    status = slot->function(ranks, slot->state);
    ranks->fibers.thread_ended = true;
    ranks->fibers.thread_status = status;
    svs__place_switch(&slot->stack->place, &ranks->place, true);
}

static svs_status take_stack(svs_ranks *ranks, svs__fiber *slot) {
    svs_status status;
    if (ranks->stack_cache.count == 0) {
        status = svs__stack_refill(&ranks->stacks, &ranks->stack_cache, true);
        if (status != SVS_OK) return status;
    }
    slot->stack = ranks->stack_cache.free[--ranks->stack_cache.count];
    return SVS_OK;
}

static void give_stack_back(svs_ranks *ranks, svs__fiber *slot) {
    svs__stack *stack = slot->stack;
    svs__place_abandon(&stack->place, stack->low, ranks->stacks.bytes);
    slot->stack = NULL;
    svs__stack_release(&ranks->stacks, &ranks->stack_cache, stack);
}

svs_status svs__stacked_run(svs_ranks *ranks, svs__fiber *slot, bool *ended) {
    beginning given = {ranks, slot};
    svs_status status;
    *ended = true;
    ranks->fibers.thread_ended = false;
    if (slot->stack == NULL) {
        status = take_stack(ranks, slot);
        if (status != SVS_OK) return status;
        (void)svs__place_call(&ranks->place, &slot->stack->place, svs__stack_top(slot->stack),
                              begin, &given);
    } else {
        svs__place_jump(&ranks->place, &slot->stack->place);
    }
    *ended = ranks->fibers.thread_ended;
    if (!*ended) return SVS_OK;
    give_stack_back(ranks, slot);
    return ranks->fibers.thread_status;
}
