/* The dispatch benchmark's parts: the description of a case, and the interface of an engine.
 *
 * A case is a list of instances that each access 1 to 13 of K objects. Each engine has its own
 * objects, as its way of protection wants them: they are allocated one by one and numbered in
 * random order, and the engine walks a list of pointers to them. An instance reads a counter,
 * works, and writes the counter plus one, so two writers at once lose a count, which the check
 * after the runs finds. */
#ifndef BENCH_DISPATCH_H
#define BENCH_DISPATCH_H

#include "common.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define DISPATCH_INSTANCES 128000u
#define DISPATCH_SENDS 64u /* items that svs sends at once, unless an option says otherwise */

#define DISPATCH_OBJECTS_MAX 13u

/* How SvS is told what an instance accesses. The objects of a span are neighbours. */
typedef enum dispatch_by { BY_OBJECT, BY_ADDRESS, BY_INDEX, BY_SPAN } dispatch_by;

typedef struct dispatch_case {
    uint32_t objects; /* that an instance accesses, different ones: one of DISPATCH_OBJECTS */
    bool reads;       /* it writes the first, and reads the others */
    dispatch_by by;
    uint32_t sends; /* items that svs sends at once */
    uint32_t work_ns;
    uint32_t rounds;    /* of bench_spin() for work_ns */
    size_t keys;        /* K */
    size_t count;       /* instances */
    uint32_t *chosen;   /* count x objects: their numbers */
    uint32_t *expected; /* keys: the writes that one run makes */
} dispatch_case;

/* Filled when the first engine wants it; lives as long as the program. */
dispatch_case *dispatch_case_new(uint32_t objects, size_t keys, uint32_t work_ns, dispatch_by by,
                                 bool reads);
void dispatch_case_fill(dispatch_case *c);

/* K objects of `size` bytes, allocated one by one and shuffled. */
void **dispatch_objects_new(size_t keys, size_t size, size_t alignment);
void dispatch_objects_free(void **objects, size_t keys);

/* The instances' objects as pointers: count x c->objects. */
void **dispatch_targets_new(const dispatch_case *c, void *const *objects);
/* The same, those of each instance in the order of addresses: in which locks are taken. */
void **dispatch_locks_new(const dispatch_case *c, void *const *targets);

/* The engine's own statistics of its runs. */
typedef struct dispatch_details {
    double share_min; /* the smallest share of the instances that a worker ran */
    double width;     /* mean parallel width */
    uint64_t stages;
    uint64_t deferrals;
} dispatch_details;

typedef struct dispatch_engine {
    const char *name;
    const char *algorithm; /* "none" but for svs */
    /* log2 of the number of cells in which sets are compared; 0 except for svs */
    uint32_t cells;
    uint32_t threads;
    void *(*make)(const struct dispatch_engine *engine, const dispatch_case *c);
    void (*run)(void *state); /* what is measured: all instances, from nothing to done */
    uint64_t (*writes)(const void *state, size_t key); /* the number of writes to the object */
    void (*details)(void *state,
                    dispatch_details *details); /* since the last call; NULL: it has none */
    void (*free)(void *state);
} dispatch_engine;

extern const dispatch_engine dispatch_serial, dispatch_mutex, dispatch_svs_default,
    dispatch_svs_staged, dispatch_svs_progressive;
/* The default algorithm while a trace is recorded; and with threads of the program, by svs_help(),
 * in the place of the runtime's. */
extern const dispatch_engine dispatch_svs_traced, dispatch_svs_lent;
#if defined(BENCH_TBB)
extern const dispatch_engine dispatch_tbb;
#endif

static inline void dispatch_write_one(uint64_t *a, uint32_t rounds) {
    uint64_t was = *a;
    if (rounds) bench_spin(rounds);
    *a = was + 1;
}

static inline void dispatch_write_two(uint64_t *a, uint64_t *b, uint32_t rounds) {
    uint64_t was_a = *a, was_b = *b;
    if (rounds) bench_spin(rounds);
    *a = was_a + 1;
    *b = was_b + 1;
}

/* Any number of objects, the first of which is written, or all. */
static inline void dispatch_write_many(uint64_t *const *to, uint32_t objects, bool reads,
                                       uint32_t rounds) {
    uint64_t was[DISPATCH_OBJECTS_MAX], sum = 0;
    if (!objects) return;
    for (uint32_t i = 0; i < objects; i++) was[i] = *to[i];
    if (rounds) bench_spin(rounds);
    if (!reads)
        for (uint32_t i = 0; i < objects; i++) *to[i] = was[i] + 1;
    else {
        for (uint32_t i = 1; i < objects; i++) sum |= was[i];
        *to[0] = was[0] + 1 + (sum >> 63); /* which is 0: the reads are used */
    }
}

#if defined(__cplusplus)
}
#endif
#endif
