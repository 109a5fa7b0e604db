/* Transport `local`: ranks are threads of one process.
 *
 *     result = svs__local_run(4, program, argument);   // 4 threads; the caller waits for them
 *
 * A buffer is appended to the inbox of its receiver. When the receiver releases it, it is appended
 * to the inbox of its sender. Nothing is copied. An idle rank sleeps, and uses no CPU.
 *
 *   transport.L1  A rank that has closed its endpoint has no arrivals: a buffer for it is completed
 *                 at once.
 *   transport.L2  No wake-up is lost: a thread that changes an inbox sets `due`, and afterwards
 *                 wakes the rank; the rank reads `due` between the prepare and the commit of its
 *                 sleep. (not asserted: worksteal.P2 orders the accesses of the two threads)
 *
 * Cache lines: an inbox is written by all ranks that send, under its lock. Its rank polls `due`,
 * which is next to it. All that only the rank itself uses is in its endpoint (local.c). */
#ifndef SVS_TRANSPORT_LOCAL_H
#define SVS_TRANSPORT_LOCAL_H

#include "transport/transport.h"

/* @return 0, or the first result of a rank that is not 0. A negative result is an svs_status, and
 * no rank has run (SVS_E_NO_MEMORY, SVS_E_THREAD). */
int svs__local_run(uint32_t count, svs_rank_program *program, void *argument);

#endif
