/* The ways to keep instances apart that the map of where SvS loses compares. */
#ifndef EVALUATION_BREAKEVEN_H
#define EVALUATION_BREAKEVEN_H

#include "common.h"

/* Instances that each read some objects, work, and write each of them. If two conflicting instances
 * run at once, a count gets lost. */
typedef struct breakeven_case {
    uint32_t objects; /* that an instance writes, all different, in ascending order */
    uint32_t work_ns; /* of a body */
    uint32_t rounds;  /* of bench_spin() for it */
    uint32_t keys;    /* objects there are */
    uint32_t count;   /* instances */
    uint32_t threads;
    uint32_t *chosen; /* count x objects */
} breakeven_case;

typedef struct breakeven_engine {
    const char *name;
    void *(*make)(const breakeven_case *c);
    void (*run)(void *state); /* what is measured */
    /* More pairs for its row, of all its runs; NULL: none. */
    void (*describe)(const void *state, char *text, size_t size);
    uint64_t (*writes)(const void *state, uint32_t key);
    void (*free)(void *state);
} breakeven_engine;

extern const breakeven_engine breakeven_svs, breakeven_mutex, breakeven_spin, breakeven_padded;

#endif
