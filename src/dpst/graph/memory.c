/* The memory of all that is remembered of graphs' runs. It is released at once (graph.h). */
#include "base/lock.h"
#include "dpst/graph/graph.h"
#include "dpst/shadow/access.h"

#define CHUNK ((size_t)256 << 10)
#define LARGE (CHUNK / 4)

typedef struct chunk {
    struct chunk *next;
    size_t bytes;
    _Alignas(SVS__CACHE_LINE) char memory[];
} chunk;

/* ---- what is allocated while locks are held ---- */

static void *allocate_aside(size_t size, size_t alignment, uint32_t worker, void *argument) {
    bool before = svs__check_marks.aside;
    void *memory;
    svs__check_marks.aside = true;
    memory = svs__allocator_libc.allocate(size, alignment, worker, argument);
    svs__check_marks.aside = before;
    return memory;
}

static void release_aside(void *memory, size_t size, size_t alignment, uint32_t worker,
                          void *argument) {
    bool before = svs__check_marks.aside;
    svs__check_marks.aside = true;
    svs__allocator_libc.release(memory, size, alignment, worker, argument);
    svs__check_marks.aside = before;
}

const svs_allocator svs__graph_allocator = {allocate_aside, release_aside, NULL};

static const svs_allocator *const allocator = &svs__graph_allocator;

_Atomic(uint32_t) svs__graph_age = 1;

static svs__lock arena_lock;
static chunk *used, *spare;
static size_t left;  /* bytes left in the first chunk in use */
static size_t total; /* bytes of all chunks */

/* The caller of this and of the following functions holds the lock, or is the only thread. */
static chunk *make_chunk(size_t bytes) {
    chunk *made = svs__allocate(allocator, sizeof *made + bytes, SVS__CACHE_LINE);
    if (made == NULL) return NULL;
    made->bytes = bytes;
    total += bytes;
    return made;
}

/* Takes bytes of a chunk. The caller holds the lock. */
static void *carve(size_t bytes) {
    chunk *c;
    if (bytes > LARGE) { /* goes after the first chunk, which has bytes left */
        c = make_chunk(bytes);
        if (c == NULL) return NULL;
        c->next = used != NULL ? used->next : NULL;
        if (used != NULL) used->next = c;
        else {
            used = c;
            left = 0;
        }
        return c->memory;
    }
    if (left < bytes) {
        c = spare;
        if (c != NULL) spare = c->next;
        else c = make_chunk(CHUNK);
        if (c == NULL) return NULL;
        c->next = used;
        used = c;
        left = CHUNK;
    }
    left -= bytes;
    if (bytes >= SVS__CACHE_LINE) left -= left % SVS__CACHE_LINE;
    return used->memory + left;
}

void *svs__graph_allocate(size_t bytes) {
    void *memory;
    svs__lock_acquire(&arena_lock);
    memory = carve((bytes + 15) & ~(size_t)15);
    svs__lock_release(&arena_lock);
    return memory;
}

static void release_chunks(chunk *from) {
    while (from != NULL) {
        chunk *next = from->next;
        total -= from->bytes;
        svs__release(allocator, from, sizeof *from + from->bytes, SVS__CACHE_LINE);
        from = next;
    }
}

void svs__graph_memory_forget(void) {
    chunk *next;
    for (chunk *c = used; c != NULL; c = next) {
        next = c->next;
        c->next = NULL;
        if (c->bytes != CHUNK) {
            release_chunks(c);
            continue;
        }
        c->next = spare;
        spare = c;
    }
    used = NULL;
    left = 0;
    (void)svs__fetch_add_relaxed(&svs__graph_age, 1); /* relaxed: nothing runs */
}

void svs__graph_memory_clean_up(void) {
    svs__graph_memory_forget();
    release_chunks(spare);
    spare = NULL;
}

void svs__graph_memory_abandon(void) {
    arena_lock = (svs__lock)SVS__LOCK_INIT;
    used = spare = NULL;
    left = total = 0;
    (void)svs__fetch_add_relaxed(&svs__graph_age, 1); /* relaxed: no other thread is there */
}

size_t svs__graph_memory_bytes(void) {
    size_t bytes;
    svs__lock_acquire(&arena_lock);
    bytes = total;
    svs__lock_release(&arena_lock);
    return bytes;
}
