/* Threads with stacks: the switch between the rank's loop and a thread. The stacks are those of the
 * work-stealing room, pooled by the rank. */
#ifndef SVS__RANKS_FIBER_STACKED_H
#define SVS__RANKS_FIBER_STACKED_H

#include "ranks/fiber/fiber.h"

/* Runs a thread from its beginning, or on from where it was suspended, until it is suspended or has
 * ended. @param ended whether it has ended. @return its function's status when it has ended;
 * SVS_E_LIMIT or SVS_E_NO_MEMORY if there was no stack: it has ended. */
svs_status svs__stacked_run(svs_ranks *ranks, svs__fiber *slot, bool *ended);

/* The running thread is suspended; returns when it is resumed, perhaps by another thread of the
 * operating system. In line: after a switch, no return leads where the processor predicts. */
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
