/* The wake-up benchmark's parts. An attempt hands an idle engine some bodies and notes when the
 * first of them starts. */
#ifndef BENCH_WAKEUP_H
#define BENCH_WAKEUP_H

#include "common.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct wakeup_probe wakeup_probe;

/* Called by each body of an attempt. A body in the thread that made the attempt waits until another
 * thread has started one (or a tenth of a second has passed): it leaves work for the sleepers, and
 * holds its own thread. */
void wakeup_body(wakeup_probe *probe);

typedef struct wakeup_engine {
    const char *name;
    void *(*make)(uint32_t threads);
    /* Hands two bodies for each thread to the engine and waits for their end. `begin` is called
     * right before. */
    void (*attempt)(void *state, wakeup_probe *probe, void (*begin)(wakeup_probe *));
    void (*free)(void *state);
} wakeup_engine;

extern const wakeup_engine wakeup_svs;
#if defined(BENCH_TBB)
extern const wakeup_engine wakeup_tbb;
#endif

#if defined(__cplusplus)
}
#endif
#endif
