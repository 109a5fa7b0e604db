/* malloc and its family. They replace the C library's functions in the whole process, and so also
 * serve new, delete and the allocations of libraries. The checker learns of each block that a step
 * allocates or frees, so it keeps the accesses of one life of a block apart from those of the next.
 *
 * The functions pass each call on to the next allocator in the search order of the dynamic linker
 * (jemalloc, for example), which is looked up at its first use. The lookup may itself allocate: a
 * small static store serves such requests. */
#include "base/check.h"
#include "dpst/report/blocks.h"
#include "dpst/report/self.h"
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    int (*posix_memalign)(void **, size_t, size_t);
} below;

enum { UNKNOWN, LOOKING, KNOWN };
static _Atomic(uint32_t) state;

_Thread_local uint32_t svs__check_quiet;
_Thread_local const void *svs__check_site;

/* ---- while the allocator below is looked up ---- */

#define STORE_BYTES 16384u

static _Alignas(16) unsigned char store[STORE_BYTES];
static _Atomic(size_t) stored;

static bool is_stored(const void *block) {
    return (uintptr_t)block - (uintptr_t)store < sizeof store;
}

/* Takes zeroed bytes from the store, which are never given back. */
static void *store_take(size_t bytes) {
    size_t rounded = (bytes + 15) & ~(size_t)15;
    size_t at;
    if (bytes > sizeof store) return NULL;
    /* relaxed is enough: each thread gets bytes of its own */
    at = svs__fetch_add_relaxed(&stored, rounded);
    return at + rounded <= sizeof store ? store + at : NULL;
}

/* dlsym() returns an address of data; POSIX requires that it can be converted to one of a
 * function. */
#define LOOK_UP(name)                                                                              \
    do {                                                                                           \
        void *found = dlsym(RTLD_NEXT, #name);                                                     \
        memcpy(&below.name, &found, sizeof found);                                                 \
    } while (0)

SVS__COLD static bool look_up(void) {
    uint32_t expected = UNKNOWN;
    /* acquire: sees what another thread has looked up; pairs with the release below. The lookup
     * itself comes back here, as do other threads meanwhile: all of these are served from the
     * store. */
    if (!svs__cas_strong_acquire(&state, &expected, LOOKING)) return expected == KNOWN;
    svs__check_quiet++;
    LOOK_UP(malloc);
    LOOK_UP(calloc);
    LOOK_UP(realloc);
    LOOK_UP(free);
    LOOK_UP(posix_memalign);
    svs__check_quiet--;
    svs__store_release(&state, KNOWN);
    return true;
}

/* Are the functions looked up? acquire: sees their addresses; pairs with the release in
 * look_up(). */
static inline bool is_ready(void) {
    return SVS__LIKELY(svs__load_acquire(&state) == KNOWN) || look_up();
}

void *svs__real_calloc(size_t count, size_t bytes) {
    return is_ready() ? below.calloc(count, bytes) : NULL;
}

void svs__real_free(void *block) {
    if (block != NULL && !is_stored(block)) below.free(block);
}

/* ---- what the checker learns ---- */

/* The place of an allocation: that of a call of operator new, if there is one (new.c), otherwise
 * the caller of malloc. */
static const void *site_or(const void *caller) {
    return svs__check_site != NULL ? svs__check_site : caller;
}

/* The number of bytes of the block that can be used. It is constant during the block's life. */
static size_t room_of(void *block, size_t bytes) {
    return is_stored(block) ? bytes : malloc_usable_size(block);
}

static void *begins(void *block, size_t bytes, const void *caller) {
    svs__heap_block b = {(uintptr_t)block,       bytes, (uintptr_t)site_or(caller),
                         svs__check_self->frame, 0,     0};
    if (block == NULL || svs__check_quiet != 0) return block;
    svs__block_add(&b, room_of(block, bytes));
    svs__check_taken(block, bytes, site_or(caller));
    return block;
}

/* Records the end of a block. @return its number of bytes. */
static size_t ends(void *block, const void *caller) {
    svs__heap_block b;
    size_t room = room_of(block, 0);
    bool known = svs__block_find(block, room, &b);
    if (!known) b.bytes = room;
    if (svs__check_quiet == 0) svs__check_freed(block, b.bytes, site_or(caller));
    /* comes after the check: a race with the end of a block is a race on the block */
    if (known) svs__block_remove(&b);
    return b.bytes;
}

/* ---- the family ---- */

#define EXPORTED __attribute__((visibility("default")))

static void *allocate(size_t bytes) { return is_ready() ? below.malloc(bytes) : store_take(bytes); }

EXPORTED void *malloc(size_t bytes) { return begins(allocate(bytes), bytes, SVS__CALLER()); }

EXPORTED void *calloc(size_t count, size_t bytes) {
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    if (!is_ready()) return store_take(all);
    return begins(below.calloc(count, bytes), all, SVS__CALLER());
}

EXPORTED void free(void *block) {
    int kept = errno;
    if (block == NULL || is_stored(block)) return;
    (void)ends(block, SVS__CALLER());
    below.free(block);
    errno = kept;
}

/* Moves a block out of the store, where its own bytes stay. */
static void *move_out(const void *block, size_t bytes) {
    size_t most = (size_t)(store + sizeof store - (const unsigned char *)block);
    void *moved = allocate(bytes);
    svs__check_quiet++;
    if (moved != NULL) memcpy(moved, block, bytes < most ? bytes : most);
    svs__check_quiet--;
    return moved;
}

/* Reallocates a block: the old block is freed and the new one written, also when they are in one
 * place. */
static void *change(void *block, size_t bytes, const void *caller) {
    size_t before;
    void *moved;
    if (is_stored(block)) return begins(move_out(block, bytes), bytes, caller);
    before = ends(block, caller);
    moved = below.realloc(block, bytes);
    if (moved == NULL) return bytes == 0 ? NULL : (begins(block, before, caller), NULL);
    return begins(moved, bytes, caller);
}

EXPORTED void *realloc(void *block, size_t bytes) {
    if (block == NULL) return begins(allocate(bytes), bytes, SVS__CALLER());
    return change(block, bytes, SVS__CALLER());
}

EXPORTED void *reallocarray(void *block, size_t count, size_t bytes) {
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    if (block == NULL) return begins(allocate(all), all, SVS__CALLER());
    return change(block, all, SVS__CALLER());
}

static int align(void **block, size_t alignment, size_t bytes) {
    return is_ready() ? below.posix_memalign(block, alignment, bytes) : ENOMEM;
}

EXPORTED int posix_memalign(void **block, size_t alignment, size_t bytes) {
    int error = align(block, alignment, bytes);
    if (error == 0) (void)begins(*block, bytes, SVS__CALLER());
    return error;
}

static void *aligned(size_t alignment, size_t bytes, const void *caller) {
    void *block = NULL;
    int error = align(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes);
    if (error == 0) return begins(block, bytes, caller);
    errno = error;
    return NULL;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t bytes) {
    return aligned(alignment, bytes, SVS__CALLER());
}

EXPORTED void *memalign(size_t alignment, size_t bytes) {
    return aligned(alignment, bytes, SVS__CALLER());
}
