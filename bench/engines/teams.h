/* Teams of other libraries (examples/common/team.h), and what the tables of engines need to know of
 * gcc's transactions. A team that was not built says so. */
#ifndef BENCH_ENGINES_TEAMS_H
#define BENCH_ENGINES_TEAMS_H

#include "common/team.h"

#if defined(__cplusplus)
extern "C" {
#endif

extern const team_kind team_tbb;    /* oneTBB's parallel_for, and its spin_mutex */
extern const team_kind team_openmp; /* a task a chunk, and OpenMP's lock */

/* The engine stm of a table: its methods, its team, and why it is absent. */
#ifdef BENCH_STM
#define STM_CHOICE(methods) "stm", &(methods), &team_pthreads, LOCKS_BEST, NULL
#else
#define STM_CHOICE(methods)                                                                        \
    "stm", NULL, NULL, LOCKS_BEST,                                                                 \
        "the compiler that built this has no transactional memory (gcc: -fgnu-tm and libitm)"
#endif

#if defined(__cplusplus)
}
#endif
#endif
