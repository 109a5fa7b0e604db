/* Simulated annealing of a placement: the schedule, one swap, and the engines that run the swaps of
 * a step.
 *
 * Each step divides the temperature by 1.5, as PARSEC does, and judges `swaps` pairs of elements: a
 * swap that shortens the wires is made, one that lengthens them by d is made with probability
 * exp(-d / temperature). Swap i of step s draws its pair and its chance from (seed, s, i) alone, so
 * every engine judges the same swaps, in any order.
 *
 * As in PARSEC, a swap shares an element with its predecessor in a chain: each element is tried
 * twice in a row, which affects the convergence. PARSEC has one chain per thread. Here the chains
 * are many and interleaved, independent of the number of threads, so that consecutive swaps rarely
 * conflict. */
#ifndef CANNEAL_ANNEALING_H
#define CANNEAL_ANNEALING_H

#include "common/engine_choice.h"
#include "placement.h"

#define ANNEALING_TEXT 384
#define ANNEALING_CHUNK_MAX 1024u

typedef struct annealing_options {
    const engine_choice *engine; /* its methods: an annealing_engine */
    uint32_t threads;
    uint32_t swaps; /* a step */
    double temperature;
    int64_t steps; /* -1: until a step makes no more good swaps than bad ones */
    uint64_t seed;
    uint32_t chunk;          /* engines with loops: swaps per chunk; 0: the engine's choice */
    bool exact;              /* svs: footprints declare reads of a swap's neighbours */
    unsigned algorithm;      /* svs: an svs_algorithm; 0: the default one */
    uint32_t signature_bits; /* svs; 0: the library's default */
    int cell_bits;           /* svs; -1: the library's default */
    lock_form lock;          /* form of the locks of an engine that locks */
} annealing_options;

/* Counts of one worker. The fields are relaxed: they belong to a worker, not to a swap, so no
 * footprint declares them. */
typedef struct tally {
    _Alignas(64) uint64_t cost; /* the change of the cost, as seen by the swaps; modulo 2^64 */
    uint64_t good, bad;         /* swaps made */
} tally;

typedef struct annealing {
    annealing_options options;
    placement place;
    tally *tallies;          /* tallies by worker */
    int64_t step;            /* number of the step, from 0 */
    uint64_t pairs, chances; /* what the step draws from (random_events) */
    double temperature;
    void *engine_state; /* the engine's */
    char error[ANNEALING_TEXT];
} annealing;

typedef struct annealing_result {
    double seconds, cpu_seconds; /* time of the steps alone */
    double prepare_seconds;      /* what the engine takes to start and to stop */
    int64_t steps;
    int64_t cost_before; /* measured */
    int64_t cost;        /* measured */
    int64_t cost_kept;   /* cost_before and what the swaps saw themselves add */
    uint64_t good, bad;
    char details[ANNEALING_TEXT]; /* details of the engine */
} annealing_result;

/* How an engine runs one step. `start` and `step` return NULL, or an error text that lasts until
 * `stop`. */
typedef struct annealing_engine {
    uint32_t best_chunk; /* 0: it has none */
    const char *(*start)(annealing *anneal);
    const char *(*step)(annealing *anneal);
    void (*describe)(annealing *anneal, char *text, size_t size); /* more " key=value" pairs */
    void (*stop)(annealing *anneal); /* also after a start that failed */
} annealing_engine;

/* engine_mutex works with every team; the engine_choice names the team that runs its loops. */
extern const annealing_engine engine_serial, engine_mutex, engine_atomic, engine_svs,
    engine_scanned;

/* The two different elements or blanks of swap `index` of the step. */
typedef struct swap_pair {
    uint32_t a, b;
} swap_pair;
swap_pair annealing_pair(const annealing *anneal, uint32_t index);

/* Whether swap `index`, which would add `cost`, is accepted. */
bool annealing_accepts(const annealing *anneal, uint32_t index, int64_t cost);

/* Counts a swap that was made. */
void annealing_count(tally *mine, int64_t cost);

/* Judges swap `index` and performs it if it is accepted. The caller guarantees that no other swap
 * of a or b runs. */
void annealing_swap(annealing *anneal, swap_pair pair, uint32_t index, tally *mine);

/* Anneals from the first placement on. @return NULL, or what went wrong. */
const char *annealing_run(annealing *anneal, annealing_result *result);

#endif
