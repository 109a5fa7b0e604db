/* Memory for the library, at the same addresses in each run, as addresses decide on collisions: a
 * run that is repeated alone behaves as it did among others. A freed block is the first to be
 * reused.
 *
 * Blocks are powers of two, at multiples of their size. */
#include "explore/machine.h"
#include <stdlib.h>
#include <sys/mman.h>

#define ARENA_BYTES ((size_t)1 << 28)
#define SMALLEST 6u /* 64 bytes */
#define POWERS 29u  /* the largest block is the whole arena */

typedef struct spare {
    struct spare *next;
} spare;

static struct {
    char *base;
    uint8_t *powers; /* of the block at each 64 bytes */
    size_t used;
    uint64_t live;
    spare *spares[POWERS];
} heap;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);
void __wrap_free(void *memory);

static void *map(size_t bytes) {
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) explore_fail("no room for the library's memory");
    return at;
}

void explore_heap_begin(void) {
    if (heap.base == NULL) {
        heap.base = map(ARENA_BYTES);
        heap.powers = map(ARENA_BYTES >> SMALLEST);
    }
    heap.used = 0;
    for (uint32_t i = 0; i < POWERS; i++) heap.spares[i] = NULL;
}

uint64_t explore_heap_live(void) { return heap.live; }

void *explore_heap_keep(size_t bytes) { return __real_aligned_alloc(4096, bytes); }

static uint32_t power_of(size_t bytes) {
    uint32_t power = SMALLEST;
    while (((size_t)1 << power) < bytes) power++;
    return power;
}

static void *take(size_t bytes) {
    uint32_t power = power_of(bytes);
    size_t size = (size_t)1 << power, at = (heap.used + size - 1) & ~(size - 1);
    spare *found;
    if (power >= POWERS) return NULL;
    found = heap.spares[power];
    if (found != NULL) heap.spares[power] = found->next;
    else {
        if (size > ARENA_BYTES - at) return NULL;
        heap.used = at + size;
        heap.powers[at >> SMALLEST] = (uint8_t)power;
        found = (spare *)(void *)(heap.base + at);
    }
    heap.live++;
    return found;
}

void *__wrap_malloc(size_t bytes) {
    return explore.current == NULL ? __real_malloc(bytes) : take(bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    if (explore.current == NULL) return __real_aligned_alloc(alignment, bytes);
    return take(bytes < alignment ? alignment : bytes);
}

/* A thread's stores before a free must not become visible after it. */
void __wrap_free(void *memory) {
    size_t at = (size_t)((uintptr_t)memory - (uintptr_t)heap.base);
    spare **spares;
    if (explore.current != NULL) explore_before_flush();
    if (heap.base == NULL || at >= ARENA_BYTES) {
        __real_free(memory);
        return;
    }
    spares = &heap.spares[heap.powers[at >> SMALLEST]];
    heap.live--;
    ((spare *)memory)->next = *spares;
    *spares = memory;
}
