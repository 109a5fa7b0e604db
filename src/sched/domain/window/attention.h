/* Attention: a worker that alone runs the items from outside (window/serial.h) waits for more of
 * them before it ends its step, so that senders need not wake a worker for each item (sched.I8).
 *
 * Items that arrive one by one are collected: after it has run a small number of them, the worker
 * pauses for up to 2 us, during which it reads nothing that senders write. So the next items make
 * one window. If items arrive in a rush, more than 8 in a microsecond, the worker dozes: it sleeps
 * until many wait, a sender finds no room, a source is freed, or a timer of 5 us ends its sleep
 * (sched.I9). Linux adds 50 us to such a timer unless the program asks for less
 * (PR_SET_TIMERSLACK). So no item waits longer than that for further items; during this time the
 * worker does no other work. The worker leaves when no item has arrived for as long as an idle
 * worker searches for work (spin_ns), but after 20 us at the latest.
 *
 * What it saves: `./dev bench sources`, at_once=1, key cpu_ratio. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_ATTENTION_H
#define SVS_SCHED_DOMAIN_WINDOW_ATTENTION_H

#include "sched/domain/domain.h"

/* the maximum number of tasks that one worker watches for new items; a send to a task that no
 * worker watches wakes one */
#define SVS__ATTENDED_MAX 8u

typedef struct svs__attention {
    svs_task *tasks[SVS__ATTENDED_MAX];
    uint32_t count;
    /* number of instances that the worker had run at the last svs__attention_wait() */
    uint64_t ran;
} svs__attention;

/* Begins to attend the tasks of the domain to which sources send. Called in a step. */
void svs__attention_begin(svs__attention *a, svs__domain *domain, const svs_context *context);

/* Waits a short time for items. @return whether there are any. */
bool svs__attention_wait(svs__attention *a, svs__domain *domain, const svs_context *context);

/* Whether only few items were taken, while a body of another worker sends more to the task, so that
 * the worker that runs them should pause before it takes others. Otherwise the two workers would
 * fetch the inbox from each other for each few items. */
bool svs__attention_may_collect(const svs_task *task, uint32_t taken);
/* Pauses, so that items gather. */
void svs__attention_collect(const svs__domain *domain);

/* Called at the end of the same step: attends the tasks no longer. */
void svs__attention_end(const svs__attention *a, const svs__domain *domain);

#endif
