/* The measured operations, in C, for Google Benchmark's C++: an operation runs `count` times
 * between make and free. A case that may not be repeated on the same state (from_scratch)
 * gets a fresh one for each call of run. */
#ifndef BENCH_MICRO_H
#define BENCH_MICRO_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct micro_case {
    const char *name;
    uint32_t argument; /* signature bits, K, or bulk size; 0: none */
    uint32_t per_run;  /* operations in one call of run */
    int from_scratch;  /* each call of run needs a state of its own */
    void *(*make)(uint32_t argument);
    void (*run)(void *state);
    void (*free)(void *state);
} micro_case;

extern const micro_case micro_cases[];
extern const size_t micro_case_count;

#if defined(__cplusplus)
}
#endif
#endif
