/* Memory from the runtime's allocator, which is passed the calling worker's index.
 *
 *     uint32_t *array = NULL, capacity = 0;
 *     if (!svs__grow(allocator, (void **)&array, &capacity, needed, sizeof *array))
 *         return SVS_E_NO_MEMORY;
 *     ...
 *     svs__array_release(allocator, array, capacity, sizeof *array);
 *
 * Threads: any. Nothing here keeps state. */
#ifndef SVS_BASE_MEMORY_H
#define SVS_BASE_MEMORY_H

#include "base/atomic.h"
#include <stdbool.h>
#include <stddef.h>
#include <svs/allocator.h>

/* The allocator that calls malloc and free. */
SVS_API extern const svs_allocator svs__allocator_libc;

/* @param size in bytes, not 0. @param alignment a power of two; at least that of a pointer is used.
 * @return NULL when there is no memory. */
SVS_API void *svs__allocate(const svs_allocator *allocator, size_t size, size_t alignment);
void *svs__allocate_zeroed(const svs_allocator *allocator, size_t size, size_t alignment);

/* While a race check is active, the function that svs__allocate() calls instead of the allocator,
 * and that calls the allocator itself; otherwise NULL. Changes only while nothing runs. */
typedef void *svs__allocate_function(const svs_allocator *allocator, size_t size, size_t alignment);
extern _Atomic(svs__allocate_function *) svs__allocate_through;

/* Releases memory that was allocated with this size and alignment. NULL is allowed. */
SVS_API void svs__release(const svs_allocator *allocator, void *memory, size_t size,
                          size_t alignment);

/* The alignment of arrays made by svs__grow(). */
#define SVS__ARRAY_ALIGNMENT _Alignof(max_align_t)

/* Reserves room for `needed` elements of `element` bytes, at least doubling the capacity; new
 * elements are not zeroed. NULL with capacity 0 is the empty array. @return false, with nothing
 * changed, when there is no memory or the capacity would overflow. */
bool svs__grow(const svs_allocator *allocator, void **array, uint32_t *capacity, uint32_t needed,
               size_t element);

/* Releases an array made by svs__grow(); NULL is allowed. */
void svs__array_release(const svs_allocator *allocator, void *array, uint32_t capacity,
                        size_t element);

#endif
