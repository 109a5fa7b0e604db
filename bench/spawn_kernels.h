/* The two programs on async-finish. spawn_kernels.c is compiled twice, the second time with
 * SVS_SERIAL_ELISION: each time it defines one of these tables. */
#ifndef BENCH_SPAWN_KERNELS_H
#define BENCH_SPAWN_KERNELS_H

#include "spawn.h"
#include <svs/async.h>

enum { SPAWN_TYPED, SPAWN_GENERIC, SPAWN_CALLS };

typedef uint64_t spawn_kernel(svs_async_context *async, int n);

typedef struct spawn_kernels {
    spawn_kernel *of[SPAWN_PROGRAMS][SPAWN_CALLS];
} spawn_kernels;

extern const spawn_kernels spawn_kernels_parallel, spawn_kernels_serial;

#endif
