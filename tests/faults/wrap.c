/* The link step puts these in the place of the C library's functions, for the program and the
 * library alike: the n-th call of a kind fails, and only that one. */
#include "faults.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Shared by the driver and the lives that it forks. */
typedef struct shared {
    atomic_ulong calls[FAULT_KINDS], failed;
} shared;

static shared *counts;
static fault_kind kind_to_fail;
static unsigned long call_to_fail; /* 0: none */

void fault_open(void) {
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) abort();
}

void fault_begin(fault_kind kind, unsigned long call) {
    for (int i = 0; i < FAULT_KINDS; i++) atomic_store(&counts->calls[i], 0);
    atomic_store(&counts->failed, 0);
    kind_to_fail = kind;
    call_to_fail = call;
}

void fault_end(void) { call_to_fail = 0; }

unsigned long fault_calls(fault_kind kind) { return atomic_load(&counts->calls[kind]); }
unsigned long fault_failed(void) { return atomic_load(&counts->failed); }

static int fails(fault_kind kind) {
    unsigned long call = atomic_fetch_add(&counts->calls[kind], 1) + 1;
    if (kind != kind_to_fail || call != call_to_fail) return 0;
    atomic_fetch_add(&counts->failed, 1);
    return 1;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
uint32_t __wrap_svs__cpu_count(void);

/* Calls before the driver has set the counts are not counted. */
static int is_off(void) { return counts == NULL; }

void *__wrap_malloc(size_t size) {
    return !is_off() && fails(FAULT_ALLOCATION) ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return !is_off() && fails(FAULT_ALLOCATION) ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *memory, size_t size) {
    return !is_off() && fails(FAULT_ALLOCATION) ? NULL : __real_realloc(memory, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return !is_off() && fails(FAULT_ALLOCATION) ? NULL : __real_aligned_alloc(alignment, size);
}
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument) {
    if (!is_off() && fails(FAULT_THREAD)) return EAGAIN;
    return __real_pthread_create(thread, attributes, run, argument);
}
/* A team of some size on any machine. */
uint32_t __wrap_svs__cpu_count(void) { return 3; }
