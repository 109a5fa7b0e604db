/* Threads with stacks: the switch between the rank's loop and a thread. The stacks are those of the
 * work-stealing room, pooled by the rank. */
#ifndef SVS__RANKS_FIBER_STACKED_H
#define SVS__RANKS_FIBER_STACKED_H

#include "ranks/fiber/fiber.h"

/* Runs a thread, from its beginning or from where it was suspended, until it is suspended or ends.
 * @param ended receives whether it has ended. @return if so, the status of its function, or
 * SVS_E_LIMIT or SVS_E_NO_MEMORY if there was no stack for it. */
svs_status svs__stacked_run(svs_ranks *ranks, svs__fiber *slot, bool *ended);

/* Suspends the running thread. It returns when the thread is resumed, possibly on another thread of
 * the operating system. It is in line because a processor mispredicts each return after a switch of
 * stacks. */
static inline void svs__stacked_suspend(svs_ranks *ranks, const svs__fiber *slot) {
#if defined(SVS__ADDRESS_SANITIZER)
    svs__place *mine = &slot->stack->place;
    svs__place_leaving(mine, &ranks->place, false);
    svs__switch_in_line(&mine->sp, ranks->place.sp);
    __sanitizer_finish_switch_fiber(mine->fake, &ranks->place.low, &ranks->place.bytes);
#else
    svs__place_jump(&slot->stack->place, &ranks->place);
#endif
}

#endif
