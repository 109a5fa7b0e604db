/* The algorithm of a pinned task (svs_task_pin): progressive, stepped by one thread alone.
 *
 * A pinned task has a domain of its own, and its instances never enter another one: the instance of
 * a transform is not offered to the gate, and refinement neither passes the domain on to another
 * task nor replaces it. So the other algorithms know nothing of pins. Instances pass admission as
 * all others do (sched.S1).
 *
 *   sched.D1  a body of a pinned task runs on the worker that the task is pinned to, or on the
 *       thread that is the run's `runner` (not asserted: the runner may change while it runs a
 *       body; tests/explore/scenarios/pinned.c);
 *   sched.D2  at most one thread at a time steps the domain (`stepped`), also while another thread
 *       becomes the runner. In a cancelled run no body begins: then any worker steps it, and drops
 *       the remaining items;
 *   sched.D3  while the domain has a reservation, there is a thread that may step it: the pinned
 *       worker's own thread, or a thread of the program that has a seat. A thread that leaves its
 *       seat withdraws the reservation first. So other instances never wait for a thread that does
 *       not return. (not asserted: a promise of
 *       progress; tests/unit/face/pinned.c) */
#ifndef SVS_SCHED_DOMAIN_PROGRESSIVE_PINNED_H
#define SVS_SCHED_DOMAIN_PROGRESSIVE_PINNED_H

#include "sched/domain/domain.h"

extern const svs__algorithm svs__pinned;

static inline bool svs__task_is_pinned(const svs_task *task) { return task->pin != SVS_NO_WORKER; }

/* Whether the calling thread, which has no seat, must take one to step the domain. */
bool svs__pinned_needs_runner(svs__domain *domain);

#endif
