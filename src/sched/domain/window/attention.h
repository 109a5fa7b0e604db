/* Attention: a worker that runs alone what comes from outside (window/serial.h) looks for more
 * before it ends its step, so that senders need not wake a worker for each item (sched.I8).
 *
 * Items that come one by one are collected: after a small number of them, the worker pauses for up
 * to 2 us, in which it does not read what a sender writes. So the next ones make one window. If
 * they come in a rush, faster than 8 in a microsecond, the worker dozes: it sleeps until many wait,
 * a sender finds no room, a source is freed, or a timer of 5 us ends its sleep (sched.I9). Linux
 * adds 50 us to such a timer unless the program asks for less (PR_SET_TIMERSLACK). An item waits
 * for no further one longer than that, and the worker serves nothing else meanwhile. The worker
 * leaves when nothing has come for as long as an idle worker searches for work (spin_ns), but for
 * 20 us at most. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_ATTENTION_H
#define SVS_SCHED_DOMAIN_WINDOW_ATTENTION_H

#include "sched/domain/domain.h"

#define SVS__ATTENDED_MAX 8u /* tasks; others' senders wake workers */

typedef struct svs__attention {
    svs_task *tasks[SVS__ATTENDED_MAX];
    uint32_t count;
    uint64_t ran; /* instances that the worker had run when it looked last */
} svs__attention;

/* Attends the tasks of the domain that are fed from outside. In a step. */
void svs__attention_begin(svs__attention *a, svs__domain *domain, const svs_context *context);

/* Waits a little for items. @return whether there are any. */
bool svs__attention_wait(svs__attention *a, svs__domain *domain, const svs_context *context);

/* In the same step, at its end. */
void svs__attention_end(const svs__attention *a, const svs__domain *domain);

#endif
