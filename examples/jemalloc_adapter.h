/* Gives a runtime its memory from jemalloc, out of an arena for each worker, so that workers do not
 * meet in the allocator.
 *
 *     svs_runtime_options_init(&options);
 *     options.allocator = *svs_jemalloc_allocator();
 *
 * The arenas are the process's: workers of one index in several runtimes share theirs, and who is
 * no worker shares one more. They are made when first asked for, and stay. The library itself never
 * depends on jemalloc: programs link this adapter.
 *
 * Threads: any. Memory may be given back by another worker than the one that asked for it; it
 * returns to its own arena. */
#ifndef SVS_JEMALLOC_ADAPTER_H
#define SVS_JEMALLOC_ADAPTER_H

#include <svs/allocator.h>

SVS_BEGIN_DECLARATIONS

/* The adapter; never NULL, valid for ever. */
const svs_allocator *svs_jemalloc_allocator(void);

/* The arena of a worker (or of SVS_NO_WORKER), made when it has none yet. @return SVS_OK, or
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD svs_status svs_jemalloc_arena(uint32_t worker, unsigned *arena);

SVS_END_DECLARATIONS
#endif
