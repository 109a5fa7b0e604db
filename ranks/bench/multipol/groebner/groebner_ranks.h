/* Buchberger's algorithm over ranks. */
#ifndef BENCH_MULTIPOL_GROEBNER_RANKS_H
#define BENCH_MULTIPOL_GROEBNER_RANKS_H

#include "groebner.h"
#include <svs/ranks.h>

/* A way to run it. */
typedef struct groebner_way {
    uint64_t cache_bytes; /* of a rank; 1: no copy is kept */
    uint32_t workers;     /* threads of a rank, so that one computes while another one waits */
    uint64_t seed;
} groebner_way;

/* What a run took, added up over ranks but for the time. */
typedef struct groebner_counts {
    uint64_t ns; /* of this rank */
    uint64_t cpu_ns, idle_ns, tasks, migrated, covered, zeros, again, steps;
    uint64_t hits, hit_bytes, requests, fetches, fetched_bytes, replacements, messages, bytes;
} groebner_counts;

/* Collective, outside of a run. @param basis the reduced one, on rank 0. */
svs_status groebner_run(svs_ranks *ranks, const system_of_polynomials *given,
                        const groebner_way *by, system_of_polynomials *basis,
                        groebner_counts *counts);

#endif
