/* The dispatch benchmark's parts: the description of a case, and the interface of an engine.
 *
 * A case is a list of instances that each write 1 or 2 of K objects. Each engine has its own
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
#define DISPATCH_BULK 64u

typedef struct dispatch_case {
    uint32_t objects; /* that an instance writes: 1 or 2, different ones */
    uint32_t work_ns;
    uint32_t rounds;    /* of bench_spin() for work_ns */
    size_t keys;        /* K */
    size_t count;       /* instances */
    uint32_t *chosen;   /* count x objects: their numbers */
    uint32_t *expected; /* keys: the writes that one run makes */
} dispatch_case;

/* Filled when the first engine wants it; lives as long as the program. */
dispatch_case *dispatch_case_new(uint32_t objects, size_t keys, uint32_t work_ns);
void dispatch_case_fill(dispatch_case *c);

/* K objects of `size` bytes, allocated one by one and shuffled. */
void **dispatch_objects_new(size_t keys, size_t size, size_t alignment);
void dispatch_objects_free(void **objects, size_t keys);

/* The instances' objects as pointers: count x c->objects. */
void **dispatch_targets_new(const dispatch_case *c, void *const *objects);

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

#if defined(__cplusplus)
}
#endif
#endif
