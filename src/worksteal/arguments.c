/* Generic asyncs whose arguments do not fit into a slot, or own something. */
#include "worksteal/arguments.h"
#include "worksteal/runtime.h"
#include <svs/async.h>

/* ---- arguments that do not fit into a slot ---- */

typedef struct block {
    svs_async_function *function;
    size_t size;
    SVS__ALIGNAS(16) unsigned char arguments[];
} block;

static void release_block(svs_async_context *async, const void *argument) {
    const svs__worker *worker = async->worker;
    block *b = *(block *const *)argument;
    svs__release(svs__runtime_allocator(worker->runtime), b, sizeof *b + b->size, 16);
}

static void run_block(svs_async_context *async, void *argument) {
    block *b = *(block **)argument;
    b->function(async, b->arguments);
    release_block(async, argument);
}

static block *block_of(const svs__worker *worker, svs_async_function *function,
                       const void *argument, size_t size) {
    block *b = svs__allocate(svs__runtime_allocator(worker->runtime), sizeof *b + size, 16);
    if (b == NULL) return NULL;
    b->function = function;
    b->size = size;
    memcpy(b->arguments, argument, size);
    return b;
}

/* If there is no memory for a child's arguments, the child reads them from the spawner's stack, and
 * the spawner waits for the end of the child. The child copies up to COPY_MAX bytes to its own
 * stack. */
#define COPY_MAX 16384u

typedef struct lent {
    svs_async_function *function;
    const void *arguments;
    size_t size;
} lent;

static void run_copy(svs_async_context *async, void *argument) {
    const lent *l = argument;
    /* Aligned to 128 bits. */
    void *copy = __builtin_alloca_with_align(l->size, 128);
    memcpy(copy, l->arguments, l->size);
    l->function(async, copy);
}

static void run_lent(svs_async_context *async, void *argument) {
    const lent *l = argument;
    l->function(async, (void *)l->arguments);
}

static void spawn_lent(svs_async_context *async, void *argument) {
    const lent *l = argument;
    svs_async(async, l->size <= COPY_MAX ? run_copy : run_lent, l, sizeof *l);
}

void svs__async_block(svs_async_context *async, svs_async_function *function, const void *argument,
                      size_t size) {
    void *b = block_of(async->worker, function, argument, size);
    lent l = {function, argument, size};
    if (b != NULL) svs_async(async, run_block, &b, sizeof b);
    else svs_finish(async, spawn_lent, &l); /* svs_async() handles a full stack */
}

/* ---- arguments that own something ---- */

typedef struct owned {
    svs_async_function *function;
    void *argument;
    void (*drop)(void *argument);
} owned;

static void run_owned(svs_async_context *async, void *argument) {
    const owned *o = argument;
    o->function(async, o->argument);
}

void svs_async_owned(svs_async_context *async, svs_async_function *function, void *argument,
                     void (*drop)(void *argument)) {
    owned o = {function, argument, drop};
    svs_async(async, run_owned, &o, sizeof o);
}

void svs__arguments_drop(svs_async_context *async, svs__slot *slot) {
    const owned *o = (const void *)slot->arguments;
    if (slot->run != svs__run_16 && slot->run != svs__run_32) return;
    if (slot->to.function == run_block) release_block(async, slot->arguments);
    else if (slot->to.function == run_owned) o->drop(o->argument);
}
