/* The search over ranks: sets are tasks of a stealer, each rank has stores, and failures of all
 * ranks are combined in rounds. */
#ifndef BENCH_MULTIPOL_PHYLOGENY_RANKS_H
#define BENCH_MULTIPOL_PHYLOGENY_RANKS_H

#include "phylogeny.h"
#include <svs/ranks.h>

typedef enum combining { COMBINE_NEVER, COMBINE_EMPTY, COMBINE_EVERY } combining;

/* A way to run it. */
typedef struct way {
    bool pushes;                 /* tasks to random ranks, in place of steals */
    svs_stealer_network network; /* of steals */
    combining when; /* a round begins: not before the end; when a pool is empty; every n tasks */
    uint32_t every; /* n: tasks of a rank */
    uint64_t seed;
} way;

/* What a run took, added up over ranks but for the time. */
typedef struct run_counts {
    uint64_t ns;         /* wall time of this rank */
    uint64_t collect_ns; /* its part after the last task: the last round, and maximal sets */
    uint64_t cpu_ns, idle_ns;
    uint64_t tasks, tests, pruned, known, successes;
    uint64_t failures, minimal; /* found by tests; how many of them no other one implies */
    uint64_t local, migrated, requests, rounds, combined; /* ...; failures taken from other ranks */
    uint64_t messages, bytes;
} run_counts;

typedef struct phylogeny_part phylogeny_part; /* of a rank, for several runs */

/* Collective, outside of a run. @param part is to be freed after the rank, whatever the status.
 * @return as svs_structure_new(). */
svs_status phylogeny_part_new(svs_ranks *ranks, const patterns *all, phylogeny_part **part);
void phylogeny_part_free(phylogeny_part *part);

/* Collective, outside of a run; results and sums on rank 0. */
svs_status phylogeny_run(phylogeny_part *part, const way *by, results *made, run_counts *counts);

#endif
