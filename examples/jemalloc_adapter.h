/* An allocator for a runtime, based on jemalloc: one arena per worker, so that workers do not
 * contend in the allocator.
 *
 *     svs_runtime_options_init(&options);
 *     options.allocator = *svs_jemalloc_allocator();
 *
 * The arenas belong to the process: workers with the same index in several runtimes share one, and
 * all other threads share one more. They are created on first use and never freed. The library does
 * not depend on jemalloc; programs link this adapter.
 *
 * Threads: any. A worker may free memory that another worker allocated; it returns to its arena. */
#ifndef SVS_JEMALLOC_ADAPTER_H
#define SVS_JEMALLOC_ADAPTER_H

#include <svs/allocator.h>

SVS_BEGIN_DECLARATIONS

/* @return the allocator; never NULL, always valid. */
const svs_allocator *svs_jemalloc_allocator(void);

/* Returns the arena of a worker (or of SVS_NO_WORKER), and creates it on the first call. @return
 * SVS_OK, or SVS_E_NO_MEMORY. */
SVS_NODISCARD svs_status svs_jemalloc_arena(uint32_t worker, unsigned *arena);

SVS_END_DECLARATIONS
#endif
