/* Fibonacci numbers by their definition, nearly all spawn: fib() by the macros, and fib_generic()
 * by a function pointer and a copied argument for each child. */
#ifndef BENCH_FIB_H
#define BENCH_FIB_H

#include <stdint.h>
#include <svs/async.h>

SVS_ASYNC_FUNCTION(uint64_t, fib, (int, n)) {
    uint64_t a, b;
    if (n < 2) return (uint64_t)n;
    SVS_ASYNC_TO(a, fib, n - 1);
    b = SVS_CALL(fib, n - 2);
    SVS_SYNC(fib);
    return a + b;
}

typedef struct fib_argument {
    int n;
    uint64_t *value;
} fib_argument;

typedef struct fib_halves {
    int n;
    uint64_t a, b;
} fib_halves;

static void fib_run(svs_async_context *async, void *argument);

static void fib_split(svs_async_context *async, void *argument) {
    fib_halves *h = argument;
    fib_argument a = {h->n - 1, &h->a}, b = {h->n - 2, &h->b};
    svs_async(async, fib_run, &a, sizeof a);
    fib_run(async, &b);
}

static void fib_run(svs_async_context *async, void *argument) {
    const fib_argument *f = argument;
    uint64_t *value = f->value;
    fib_halves h = {f->n, 0, 0};
    if (h.n < 2) {
        *value = (uint64_t)h.n;
        return;
    }
    svs_finish(async, fib_split, &h);
    *value = h.a + h.b;
}

static uint64_t fib_generic(svs_async_context *async, int n) {
    uint64_t value;
    fib_argument whole = {n, &value};
    fib_run(async, &whole);
    return value;
}

#endif
