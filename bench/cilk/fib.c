/* Fibonacci numbers by their definition: nearly all spawn. --call typed takes the macros,
 * --call generic a function pointer and a copied argument for each child. */
#include "../fib.h"
#include "common.h"
#include "program.h"

#include <math.h>
#include <stdlib.h>

enum { CALL_TYPED, CALL_GENERIC };
static const char *const calls[] = {"typed", "generic", NULL};

typedef struct problem {
    int n, call;
    uint64_t value;
} problem;

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    p->n = (int)size->values[0];
    p->call = size->call;
    return p;
}

static void run(svs_async_context *async, void *argument) {
    problem *p = argument;
    if (p->call == CALL_TYPED) p->value = SVS_CALL_ON(async, fib, p->n);
    else p->value = fib_generic(async, p->n);
}

static cilk_span result(void *argument) {
    problem *p = argument;
    return (cilk_span){&p->value, sizeof p->value};
}

static uint64_t answer(void *argument) { return ((const problem *)argument)->value; }

static double error(void *argument) {
    const problem *p = argument;
    uint64_t value = 0, next = 1;
    for (int i = 0; i < p->n; i++) {
        uint64_t sum = value + next;
        value = next;
        next = sum;
    }
    return p->value == value ? 0 : INFINITY;
}

static void release(void *argument) { free(argument); }

const cilk_program CILK_PROGRAM = {
    .name = "fib",
    .summary = "The Nth Fibonacci number, by a task for each call.",
    .parameters = {{"N", 28, 43, 43, 0, 60}},
    .calls = calls,
    .answer = answer,
    CILK_FUNCTIONS,
};
