/* Memory from the runtime's allocator, asked for under the calling worker's index.
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

/* malloc and free. */
extern const svs_allocator svs__allocator_libc;

/* @param size in bytes, not 0. @param alignment a power of two; what is less than a pointer's is
 * raised to that.
 * @return NULL when there is no memory. */
void *svs__allocate(const svs_allocator *allocator, size_t size, size_t alignment);
void *svs__allocate_zeroed(const svs_allocator *allocator, size_t size, size_t alignment);

/* Called in the place of the allocator, which it calls itself, while a race check is on: NULL
 * otherwise. Changes while nothing runs. */
typedef void *svs__allocate_function(const svs_allocator *allocator, size_t size, size_t alignment);
extern _Atomic(svs__allocate_function *) svs__allocate_through;

/* Gives back what was allocated with this size and alignment. NULL is allowed. */
void svs__release(const svs_allocator *allocator, void *memory, size_t size, size_t alignment);

/* The alignment of arrays made by svs__grow(). */
#define SVS__ARRAY_ALIGNMENT _Alignof(max_align_t)

/* Makes room for `needed` elements of `element` bytes, at least doubling; new elements are not
 * zeroed. NULL with capacity 0 is the empty array. @return false when there is no memory, or the
 * capacity would not fit: nothing is changed then. */
bool svs__grow(const svs_allocator *allocator, void **array, uint32_t *capacity, uint32_t needed,
               size_t element);

/* Gives back what svs__grow() made; NULL is allowed. */
void svs__array_release(const svs_allocator *allocator, void *array, uint32_t capacity,
                        size_t element);

#endif
