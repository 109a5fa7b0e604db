/* A program of the Cilk suite (Steal Tree table 1) as the driver uses it: a problem of some size,
 * the tasks that solve it, and two ways to know that the answer is right.
 *
 * The file of a program is compiled twice, the second time with SVS_SERIAL_ELISION, and defines
 * nothing outside of itself but one table:
 *
 *     const cilk_program CILK_PROGRAM = {.name = "fib", ..., CILK_FUNCTIONS};
 *
 * The driver runs both tables on problems of their own, measures them, and compares their answers
 * byte for byte. So `run` must add up floating-point numbers in the same order, however tasks are
 * stolen. `error` judges one answer by itself, by conditions that a right answer fulfils. */
#ifndef BENCH_CILK_PROGRAM_H
#define BENCH_CILK_PROGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <svs/async.h>

#if defined(SVS_SERIAL_ELISION)
#define CILK_PROGRAM cilk_serial
#else
#define CILK_PROGRAM cilk_parallel
#endif

#define CILK_PARAMETERS 3u

/* One of the numbers of --size. */
typedef struct cilk_parameter {
    const char *name;      /* NULL: there are no more */
    uint64_t small, usual; /* with --small, and without */
    uint64_t paper;        /* table 1 */
    uint64_t least, most;
} cilk_parameter;

typedef struct cilk_size {
    uint64_t values[CILK_PARAMETERS];
    int call; /* an index of `calls` */
} cilk_size;

typedef struct cilk_span {
    void *data;
    size_t bytes;
} cilk_span;

typedef struct cilk_program {
    const char *name, *summary;
    cilk_parameter parameters[CILK_PARAMETERS];
    const char *const *calls; /* of --call, NULL ends them; NULL: there is no such option */

    /* The reason to refuse a size with all numbers within their bounds, or NULL. May be NULL. */
    const char *(*refuse)(const cilk_size *size);
    /* Never NULL: without memory the program ends. The same size makes the same problem. */
    void *(*make)(const cilk_size *size);
    /* Before each run: the input as it was made. May be NULL. */
    void (*reset)(void *problem);
    svs_async_function *run;
    /* The answer, after a run. */
    cilk_span (*result)(void *problem);
    /* A number to print: the answer, or something about it. May be NULL. */
    uint64_t (*answer)(void *problem);
    /* How wrong that answer is: relative to what it is made of, at most CILK_TOLERANCE when it is
     * right; INFINITY when something is wrong that has no measure. */
    double (*error)(void *problem);
    void (*release)(void *problem);
} cilk_program;

#define CILK_TOLERANCE 1e-9

/* The functions that a program must have, by their usual names. */
#define CILK_FUNCTIONS                                                                             \
    .make = make, .run = run, .result = result, .error = error, .release = release

extern const cilk_program cilk_parallel, cilk_serial;

#endif
