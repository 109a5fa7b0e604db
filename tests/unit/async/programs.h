/* Random async-finish programs, made from a seed, and the two ways to run one: on a runtime, and by
 * the serial elision of the same text (programs_body.h).
 *
 * The nodes of a program are numbered in the order in which the serial program comes to them, so
 * that what was spawned within a finish is a range of numbers. Each node computes a value; where a
 * finish, a sync or a call of a typed function ends, the values of the range are added up, by plain
 * loads: too early is a wrong sum, and a race. */
#ifndef SVS_TESTS_ASYNC_PROGRAMS_H
#define SVS_TESTS_ASYNC_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>
#include <svs/async.h>

typedef enum step_kind {
    STEP_WORK,   /* `amount` rounds of arithmetic */
    STEP_ASYNC,  /* a generic async of node `first`, with `amount` more bytes of argument */
    STEP_FINISH, /* the steps of `block`, which come to the nodes first .. last-1 */
    STEP_CALL,   /* a call of node `first` as a typed function */
    STEP_SPAWN,  /* in a typed node: a typed async of node `first`; keeps its result */
    STEP_SPAWN_VOID,
    STEP_SYNC /* in a typed node: has come to all nodes before `last` */
} step_kind;

typedef struct step {
    step_kind kind;
    uint32_t amount, block, first, last;
} step;

/* Steps one after another, from `first` on. */
typedef struct block {
    uint32_t first, count;
} block;

typedef struct node {
    uint32_t block;
    uint32_t last; /* one behind the last node that is below it */
    uint32_t ran;  /* plain */
    uint64_t value;
} node;

#define RESULTS 6 /* typed asyncs of one node between two syncs */

typedef struct program {
    uint64_t seed;
    node *nodes;
    block *blocks;
    step *steps;
    uint32_t node_count, block_count, step_count, room;
} program;

/* @param most nodes, about. */
void program_make(program *p, uint64_t seed, uint32_t most);
void program_free(program *p);

/* Clears the results of a run. */
void program_reset(program *p);

/* Node 0, as a root: `argument` is a program. */
void program_run(svs_async_context *async, void *argument);
void program_run_serially(program *p);

/* The initial value of a node. */
static inline uint64_t program_mix(uint64_t a, uint64_t b) {
    a = (a ^ b) * 0x9e3779b97f4a7c15u;
    return a ^ a >> 29;
}

static inline uint64_t program_work(uint64_t value, uint32_t amount) {
    for (uint32_t i = 0; i < amount; i++) value = program_mix(value, i);
    return value;
}

static inline uint64_t program_sum(const program *p, uint32_t first, uint32_t last) {
    uint64_t sum = 0;
    for (uint32_t i = first; i < last; i++)
        sum += p->nodes[i].value * (2 * i + 1) + p->nodes[i].ran;
    return sum;
}

#endif
