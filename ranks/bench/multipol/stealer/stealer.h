/* What is measured of the task stealer. Each work is a run of all ranks; rank 0 has the result. */
#ifndef BENCH_MULTIPOL_STEALER_H
#define BENCH_MULTIPOL_STEALER_H

#include "common.h"
#include <svs/ranks.h>

typedef struct stealer_settings {
    const char *transport, *name;
    uint64_t tasks, ns, rounds, bytes, seed;
    uint32_t work, network;
} stealer_settings;

/* A round: nanoseconds of the stealer and of what it is compared with; processor time, of empty
 * and steps that of the rank which prints, of spin that of all ranks; and the stealer's counts,
 * added up over ranks. */
typedef struct stealer_result {
    uint64_t ns, other_ns, cpu_ns;
    svs_stealer_statistics of;
} stealer_result;

/* Collective, outside of a run. */
typedef svs_status stealer_work(svs_ranks *ranks, const stealer_settings *said,
                                stealer_result *result);
stealer_work stealer_empty; /* local tasks, and FIFO fibers */
stealer_work stealer_steps; /* steals of one task, and round trips of a record */
stealer_work stealer_spin;  /* tasks of some length that begin on rank 0 */

/* The same by a master and workers on plain MPI. @return nanoseconds; 0: without MPI. */
uint64_t bare_spin(const stealer_settings *said);

#endif
