/* A program of the suite that answers wrongly, for a test of the driver. KIND 0: it is right; 1: it
 * answers otherwise than its serial elision; 2: both answer the same, which is wrong. */
#include "common.h"
#include "program.h"

#include <math.h>
#include <stdlib.h>

enum { RIGHT, DIFFERENT, BOTH };

typedef struct problem {
    uint64_t kind, value;
} problem;

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    p->kind = size->values[0];
    return p;
}

static void run(svs_async_context *async, void *argument) {
    problem *p = argument;
    p->value = p->kind == DIFFERENT && async != NULL;
}

static cilk_span result(void *argument) {
    problem *p = argument;
    return (cilk_span){&p->value, sizeof p->value};
}

static double error(void *argument) {
    const problem *p = argument;
    return p->kind == BOTH ? INFINITY : 0;
}

static void release(void *argument) { free(argument); }

const cilk_program CILK_PROGRAM = {
    .name = "wrong",
    .summary = "Answers wrongly.",
    .parameters = {{"KIND", RIGHT, RIGHT, RIGHT, RIGHT, BOTH}},
    CILK_FUNCTIONS,
};
