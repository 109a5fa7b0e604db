/* PIPE: items that pass through a path of nodes, one on each rank (figure 4.4 of Wen's thesis). */
#ifndef SVS_BENCH_PIPE_H
#define SVS_BENCH_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <svs/ranks.h>

typedef enum pipe_step { PIPE_PLAIN, PIPE_PIPELINED, PIPE_FLUSHED } pipe_step;

typedef struct pipe_options {
    uint64_t items;      /* M: a multiple of `at_once` */
    uint32_t at_once;    /* N: removed, computed and sent in one iteration */
    uint32_t units;      /* T: of computation for an item */
    uint32_t capacity;   /* F: items on an edge */
    uint32_t item_bytes; /* at least 16 */
    size_t aggregate_bytes;
    pipe_step step;
    const char *transport, *name; /* NULL: the default one; its name in the rows */
    bool bare;
} pipe_options;

typedef struct pipe_sums { /* of all ranks; of a pipe on plain MPI the CPU time alone */
    uint64_t cpu_ns, idle_ns, messages;
    uint64_t events, records, nulls, waits_space, waits_data, spaces;
} pipe_sums;

typedef struct pipe_result {
    double seconds;  /* time of the run, on the last rank */
    uint64_t digest; /* digest of all items, in their order, after the last node */
    pipe_sums sums;
    uint32_t ranks;
    bool last; /* this rank has the end of the path: it prints */
} pipe_result;

typedef struct pipe_item {
    uint64_t number, value;
} pipe_item;

/* A unit of computation is a step of this. */
static inline uint64_t pipe_compute(uint64_t value, uint64_t units) {
    for (uint64_t i = 0; i < units; i++) {
        value ^= value << 13;
        value ^= value >> 7;
        value ^= value << 17;
    }
    return value | 1;
}

static inline uint64_t pipe_digest(uint64_t digest, const pipe_item *item) {
    return (digest ^ item->value ^ item->number) * 0x9e3779b97f4a7c15u;
}

/* What the last of `nodes` nodes must have seen. */
static inline uint64_t pipe_expected(const pipe_options *of, uint32_t nodes) {
    uint64_t digest = 0;
    for (uint64_t i = 0; i < of->items; i++) {
        pipe_item item = {i, i + 1};
        for (uint32_t node = 0; node < nodes; node++)
            item.value = pipe_compute(item.value, of->units);
        digest = pipe_digest(digest, &item);
    }
    return digest;
}

/* @return 0, or 1: the failure was printed. */
int pipe_ranks(const svs_transport *transport, const pipe_options *options, pipe_result *result);
/* The same on plain MPI. @return 0. */
int pipe_bare(const pipe_options *options, pipe_result *result);

#endif
