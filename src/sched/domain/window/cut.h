/* Stages of windows that are cut short.
 *
 *   sched.W12 a stage of the lease that goes on while the lease is overdue (sched.L2) is cut short:
 *       a worker gives back what it has claimed and not begun, and all that is left to claim. It
 *       marks these in `cut` while it counts in `left`, so that the next owner finds the marks. The
 *       marked instances are the next stage of the window, which returns the lease before. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_CUT_H
#define SVS_SCHED_DOMAIN_WINDOW_CUT_H

#include "sched/domain/window/window.h"

/* If the stage is to be cut short (sched.W12): gives back what the worker has claimed of it, and
 * all that is left to claim. @return how many; the caller, which counts in `left`, leaves them. */
uint32_t svs__window_cut(svs_context *context);

/* The owner of a stage that has ended: keeps in it what was given back. @return how many were. */
uint32_t svs__window_keep_cut(svs__windows *ws);

#endif
