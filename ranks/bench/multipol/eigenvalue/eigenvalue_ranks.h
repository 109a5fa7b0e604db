/* Bisection over ranks: intervals are tasks of a stealer. */
#ifndef BENCH_MULTIPOL_EIGENVALUE_RANKS_H
#define BENCH_MULTIPOL_EIGENVALUE_RANKS_H

#include "eigenvalue.h"
#include <svs/ranks.h>

/* A way to run it. */
typedef struct way {
    bool pushes;  /* tasks to random ranks, in place of steals */
    bool fetches; /* a task names an interval, which is read from the rank that has made it */
    svs_stealer_network network; /* of steals */
    uint64_t seed;
} way;

/* What a run took, added up over ranks but for the time. */
typedef struct run_counts {
    uint64_t ns; /* of this rank */
    uint64_t cpu_ns, idle_ns, tasks, local, migrated, requests, counts, messages, bytes;
} run_counts;

typedef struct eigenvalue_part eigenvalue_part; /* of a rank, for several runs */

/* Freed after the rank. */
eigenvalue_part *eigenvalue_part_new(svs_ranks *ranks, const matrix *m);
void eigenvalue_part_free(eigenvalue_part *part);

/* Collective, outside of a run; the result on all ranks. */
svs_status eigenvalues_run(eigenvalue_part *part, const way *by, double *values,
                           run_counts *counts);

#endif
