/* The benchmark of ranks: the declarations that its sources share.
 *
 * A work is measured repeatedly, in turn by SvS and bare, on plain MPI. One process is one rank;
 * over `local` it is all ranks. */
#ifndef BENCH_RANKS_WORKS_H
#define BENCH_RANKS_WORKS_H

#include "common.h"

#include <stdbool.h>
#include <svs/ranks.h>

typedef struct work work;

/* What the command says. */
typedef struct settings {
    const work *chosen;
    const char *transport; /* in the rows */
    uint64_t bytes;        /* of a buffer */
    uint64_t count;        /* operations of each rank in a round; 0: the work's own number */
    uint64_t rounds, seconds;
    bool reads; /* of a bulk transfer */
    bool zipf;  /* keys of bulk lookups, which are uniform else */
} settings;

struct work {
    const char *name;
    uint64_t count;
    /* @return the nanoseconds of a round. */
    double (*svs)(svs_ranks *ranks, const settings *chosen, uint64_t count);
    double (*bare)(const settings *chosen, uint64_t count); /* or NULL */
    /* In place of svs(): makes its own rank, and prints rows, with bare() beside it if it is
     * there. */
    void (*grows)(svs_ranks_options *options, const settings *chosen);
};

/* @return the time at which all ranks begin a round, after each of them is ready. */
uint64_t begin_together(svs_ranks *ranks);

/* ---- streams of records: stream.c, and bare.c without SvS ---- */

typedef struct record {
    uint64_t key, value;
} record;

/* The part of a rank. */
typedef struct part {
    uint64_t left, state; /* records to post; of the random numbers */
    uint64_t *counts;     /* histogram, gather */
    record *slots;        /* insert: open addressing; key 0 is free */
    uint64_t received, sum;
    uint32_t rank;
    uint32_t spin; /* slow: rounds of bench_spin() for each record */
    record waiting;
    uint32_t to;
    bool waits;
} part;

enum { COUNTS = 1 << 20, SLOTS = 1 << 21, KEYS = 1 << 20 };

void part_new(part *mine, uint64_t records, uint32_t rank);
void part_free(part *mine);

/* A random record, for a random rank. */
static inline record part_next(part *mine, uint32_t ranks, uint32_t *to) {
    uint64_t x = mine->state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    mine->state = x;
    *to = (uint32_t)(((x >> 32) * ranks) >> 32);
    return (record){(x * UINT64_C(0x9e3779b97f4a7c15)) >> 44, x};
}

/* Aggregate: records of a rank to itself are not gathered, so they go to the next rank instead. */
static inline uint32_t other_than(uint32_t rank, uint32_t to, uint32_t ranks) {
    return to == rank ? (to + 1) % ranks : to;
}

static inline uint64_t slot_of(uint64_t key) { return (key * UINT64_C(0xbf58476d1ce4e5b9)) >> 43; }

/* A duplicate adds its value to the entry. */
static inline void insert_one(part *mine, const record *one) {
    uint64_t at = slot_of(one->key + 1);
    while (mine->slots[at].key != 0 && mine->slots[at].key != one->key + 1)
        at = (at + 1) & (SLOTS - 1);
    mine->slots[at].key = one->key + 1;
    mine->slots[at].value += one->value;
}

extern const svs_handler *const stream_handlers[];
extern const size_t stream_handler_count;

double svs_histogram(svs_ranks *ranks, const settings *chosen, uint64_t count);
double svs_insert(svs_ranks *ranks, const settings *chosen, uint64_t count);
double svs_gather(svs_ranks *ranks, const settings *chosen, uint64_t count);
double svs_aggregate(svs_ranks *ranks, const settings *chosen, uint64_t count);
double svs_slow(svs_ranks *ranks, const settings *chosen, uint64_t count);

/* ---- table.c ---- */

void table_new(svs_ranks *ranks);
double svs_table(svs_ranks *ranks, const settings *chosen, uint64_t count);

/* ---- keys.c ---- */

void keys_new(svs_ranks *ranks);
double svs_lookups(svs_ranks *ranks, const settings *chosen, uint64_t count);

/* ---- latency.c ---- */

extern const svs_handler *const latency_handlers[];
extern const size_t latency_handler_count;

double svs_pingpong(svs_ranks *ranks, const settings *chosen, uint64_t count);
double svs_barriers(svs_ranks *ranks, const settings *chosen, uint64_t count);
double svs_syncs(svs_ranks *ranks, const settings *chosen, uint64_t count);
double svs_idle(svs_ranks *ranks, const settings *chosen, uint64_t count);

/* ---- bare.c, bare_latency.c; only with MPI ---- */

double bare_histogram(const settings *chosen, uint64_t count);
double bare_insert(const settings *chosen, uint64_t count);
double bare_gather(const settings *chosen, uint64_t count);
double bare_aggregate(const settings *chosen, uint64_t count);
double bare_slow(const settings *chosen, uint64_t count);
double bare_pingpong(const settings *chosen, uint64_t count);
double bare_reduction(const settings *chosen, uint64_t count);
double bare_transfer(const settings *chosen, uint64_t count);
void bare_end(void);

/* ---- offload.c: rows of rank 1 ---- */

svs_runtime *offload_workers(void);
void offloads(svs_ranks *ranks, svs_runtime *workers, const settings *chosen);
extern const svs_handler *const offload_handlers[];
extern const size_t offload_handler_count;

/* ---- growth.c, bulk.c: works that make their own rank, and their rows ---- */

typedef void growth(svs_ranks_options *options, const settings *chosen);
growth growth_scale, growth_wait, growth_credit, growth_flood, growth_forward, growth_bulk;
growth keys_cached, keys_combined; /* keys.c */

/* ---- fiber.c: rows of one rank ---- */

void fibers(svs_ranks *ranks, const settings *chosen);
extern const svs_handler *const fiber_handlers[];
extern const size_t fiber_handler_count;

#endif
