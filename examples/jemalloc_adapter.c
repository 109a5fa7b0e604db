#include "jemalloc_adapter.h"
#include <jemalloc/jemalloc.h>
#include <stdatomic.h>
#include <svs/runtime.h>

/* Arena number + 1 of each worker, the last for threads that are not workers; 0: not created yet.
 * Each is written once, so padding to cache lines would not pay. */
static _Atomic(unsigned) arenas[SVS_THREADS_MAX + 1];

svs_status svs_jemalloc_arena(uint32_t worker, unsigned *arena) {
    _Atomic(unsigned) *slot = &arenas[worker < SVS_THREADS_MAX ? worker : SVS_THREADS_MAX];
    /* relaxed: only the number is read; jemalloc itself publishes the arena. */
    unsigned found = atomic_load_explicit(slot, memory_order_relaxed);
    if (!found) {
        unsigned made;
        size_t size = sizeof made;
        if (mallctl("arenas.create", &made, &size, NULL, 0)) return SVS_E_NO_MEMORY;
        /* Two threads may create an arena concurrently; the arena of the second stays unused and
         * costs only address space. */
        if (atomic_compare_exchange_strong_explicit(slot, &found, made + 1, memory_order_relaxed,
                                                    memory_order_relaxed))
            found = made + 1;
    }
    *arena = found - 1;
    return SVS_OK;
}

/* Bypasses jemalloc's thread caches: they would retain memory after the thread ceases to be the
 * worker. */
static void *allocate(size_t size, size_t alignment, uint32_t worker, void *argument) {
    unsigned arena;
    (void)argument;
    if (svs_jemalloc_arena(worker, &arena)) return NULL;
    return mallocx(size,
                   MALLOCX_ALIGN(alignment) | (int)MALLOCX_ARENA(arena) | MALLOCX_TCACHE_NONE);
}

static void release(void *memory, size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)worker, (void)argument;
    sdallocx(memory, size, MALLOCX_ALIGN(alignment) | MALLOCX_TCACHE_NONE);
}

const svs_allocator *svs_jemalloc_allocator(void) {
    static const svs_allocator allocator = {allocate, release, NULL};
    return &allocator;
}
