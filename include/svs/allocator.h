/* Where the library takes its memory from: callbacks, libc by default.
 *
 * A runtime is made with an allocator; its worlds and graphs use the same one. `worker` is the
 * index of the worker that asks (0 .. threads-1), or SVS_NO_WORKER, so that an adapter can keep an
 * arena for each worker (examples/jemalloc_adapter.h).
 *
 * Threads: the callbacks are called from any thread at once and must be safe for that.
 * Errors: allocate returns NULL when there is no memory; the library then answers SVS_E_NO_MEMORY
 * and changes nothing. */
#ifndef SVS_ALLOCATOR_H
#define SVS_ALLOCATOR_H

#include <svs/status.h>

SVS_BEGIN_DECLARATIONS

#define SVS_NO_WORKER UINT32_MAX

typedef struct svs_allocator {
    /* `size` bytes (never 0) aligned to `alignment` (a power of two, at least sizeof(void *)), not
     * zeroed; or NULL. */
    void *(*allocate)(size_t size, size_t alignment, uint32_t worker, void *argument);
    /* Gives back what allocate returned for the same size and alignment, from any worker. `memory`
     * is never NULL. */
    void (*release)(void *memory, size_t size, size_t alignment, uint32_t worker, void *argument);
    void *argument;
} svs_allocator;

SVS_END_DECLARATIONS
#endif
