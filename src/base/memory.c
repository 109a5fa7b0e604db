#include "base/memory.h"
#include "base/check.h"
#include "base/pages.h"
#include "base/platform.h"
#include "base/program.h"
#include <stdlib.h>
#include <string.h>

static void *libc_allocate(size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)worker;
    (void)argument;
    if (alignment <= _Alignof(max_align_t)) return malloc(size);
    if (size > SIZE_MAX - alignment) return NULL;
    /* aligned_alloc() requires a size that is a multiple of the alignment. */
    return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

static void libc_release(void *memory, size_t size, size_t alignment, uint32_t worker,
                         void *argument) {
    (void)size;
    (void)alignment;
    (void)worker;
    (void)argument;
    free(memory);
}

const svs_allocator svs__allocator_libc = {libc_allocate, libc_release, NULL};

static size_t raised(size_t alignment) {
    return alignment < sizeof(void *) ? sizeof(void *) : alignment;
}

_Atomic(svs__allocate_function *) svs__allocate_through;

void *svs__allocate(const svs_allocator *allocator, size_t size, size_t alignment) {
    /* relaxed: the function's address publishes no other data. */
    svs__allocate_function *through = svs__load_relaxed(&svs__allocate_through);
    void *memory;
    if (SVS__UNLIKELY(through != NULL)) return through(allocator, size, raised(alignment));
    svs__program_ignore(true);
    memory = allocator->allocate(size, raised(alignment), svs__thread_index(), allocator->argument);
    svs__program_ignore(false);
    return memory;
}

#define LARGE 65536u /* number of bytes from which the pages are faulted together */

void *svs__allocate_zeroed(const svs_allocator *allocator, size_t size, size_t alignment) {
    void *memory = svs__allocate(allocator, size, alignment);
    svs__program_ignore(true);
    if (memory != NULL && size >= LARGE) svs__pages_fault_in(memory, size);
    if (memory != NULL) memset(memory, 0, size);
    svs__program_ignore(false);
    return memory;
}

void svs__release(const svs_allocator *allocator, void *memory, size_t size, size_t alignment) {
    if (memory == NULL) return;
    svs__program_ignore(true);
    allocator->release(memory, size, raised(alignment), svs__thread_index(), allocator->argument);
    svs__program_ignore(false);
}

/* The old capacity, or 8 if it is less, doubled until it holds `needed`; at most UINT32_MAX. */
static uint32_t grown(uint32_t capacity, uint32_t needed) {
    uint32_t larger = capacity < 8 ? 8 : capacity;
    while (larger < needed) larger = larger > UINT32_MAX / 2 ? UINT32_MAX : larger * 2;
    return larger;
}

bool svs__grow(const svs_allocator *allocator, void **array, uint32_t *capacity, uint32_t needed,
               size_t element) {
    uint32_t larger = grown(*capacity, needed);
    void *memory;
    if (needed <= *capacity) return true;
    if (larger > SIZE_MAX / element) return false;
    memory = svs__allocate(allocator, larger * element, SVS__ARRAY_ALIGNMENT);
    if (memory == NULL) return false;
    svs__program_ignore(true);
    if (*capacity != 0) memcpy(memory, *array, *capacity * element);
    svs__program_ignore(false);
    svs__array_release(allocator, *array, *capacity, element);
    *array = memory;
    *capacity = larger;
    return true;
}

void svs__array_release(const svs_allocator *allocator, void *array, uint32_t capacity,
                        size_t element) {
    svs__release(allocator, array, capacity * element, SVS__ARRAY_ALIGNMENT);
}
