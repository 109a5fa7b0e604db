/* Allocator callbacks of the library; libc by default.
 *
 * A runtime is created with an allocator, which its worlds and graphs use as well. `worker` is the
 * index of the calling worker (0 .. threads-1), or SVS_NO_WORKER. An adapter can use it to provide
 * one arena per worker (examples/jemalloc_adapter.h).
 *
 * Threads: several threads call the callbacks concurrently; the callbacks must be thread-safe.
 * Errors: if allocate returns NULL, the library's call returns SVS_E_NO_MEMORY and changes nothing.
 */
#ifndef SVS_ALLOCATOR_H
#define SVS_ALLOCATOR_H

#include <svs/status.h>

SVS_BEGIN_DECLARATIONS

#define SVS_NO_WORKER UINT32_MAX

typedef struct svs_allocator {
    /* `size` bytes (never 0) aligned to `alignment` (a power of two, at least sizeof(void *)), not
     * zeroed; or NULL. */
    void *(*allocate)(size_t size, size_t alignment, uint32_t worker, void *argument);
    /* Frees a block that allocate returned for the same size and alignment. Any worker may call it.
     * `memory` is never NULL. */
    void (*release)(void *memory, size_t size, size_t alignment, uint32_t worker, void *argument);
    void *argument;
} svs_allocator;

SVS_END_DECLARATIONS
#endif
