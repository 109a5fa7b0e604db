/* Mappings: memory that begins and ends its life as a block of the heap does (self.h). Without
 * this, two tasks to which the kernel gives the same address one after the other would seem to
 * share memory. */
#include "base/atomic.h"
#include "dpst/report/self.h"
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

/* The kernel maps whole pages. It refuses to unmap from an address within a page. */
static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }
static bool is_page(const void *memory) { return (uintptr_t)memory % page_bytes() == 0; }
static size_t pages_of(size_t bytes) {
    size_t page = page_bytes();
    return (bytes + page - 1) / page * page;
}

static void begins(const void *memory, size_t bytes) {
    if (memory != MAP_FAILED && svs__check_quiet == 0)
        svs__check_allocated(memory, pages_of(bytes));
}

/* Has anything there been accessed, as far as the shadow shows by its leaves? */
static bool is_accessed(uintptr_t at) {
    return at >> SVS__ADDRESS_BITS == 0 &&
           /* relaxed is enough: only its existence matters. */
           svs__load_relaxed((_Atomic(svs__cell *) *)&svs__shadow_leaves[at >> SVS__LEAF_SHIFT]) !=
               NULL;
}

/* Ends the life of memory before the kernel may hand it out again. A reserved range can be far
 * larger than the part ever accessed. Leaves of the shadow that do not exist are skipped: they hold
 * no access to compare with, and no later access goes to this mapping. */
static void ends(const void *memory, size_t bytes, const void *pc) {
    uintptr_t at = (uintptr_t)memory, end = at + pages_of(bytes);
    if (!is_page(memory) || svs__check_quiet != 0 || svs__check_self->step == 0) return;
    while (at < end) {
        uintptr_t next = (at / SVS__LEAF_BYTES + 1) * SVS__LEAF_BYTES;
        if (next > end) next = end;
        if (is_accessed(at)) svs__check_freed((const void *)at, next - at, pc);
        at = next;
    }
}

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* A mapping at a fixed address replaces what is mapped there. */
#define MAP(name)                                                                                  \
    WRAP(void *, name, (void *at, size_t bytes, int access, int flags, int file, off_t offset)) {  \
        void *memory;                                                                              \
        if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) == MAP_FIXED)                              \
            ends(at, bytes, SVS__CALLER());                                                        \
        memory = svs__real_##name(at, bytes, access, flags, file, offset);                         \
        begins(memory, bytes);                                                                     \
        return memory;                                                                             \
    }
MAP(mmap)
MAP(mmap64)

WRAP(int, munmap, (void *memory, size_t bytes)) {
    ends(memory, bytes, SVS__CALLER());
    return svs__real_munmap(memory, bytes);
}

void *svs__real_mremap(void *memory, size_t before, size_t bytes, int flags,
                       void *at) __asm__("__real_mremap");
void *svs__wrap_mremap(void *memory, size_t before, size_t bytes, int flags,
                       ...) __asm__("__wrap_mremap");

/* Like realloc(): the life of the old memory ends and the new memory is written, even when the two
 * are in one place. */
void *svs__wrap_mremap(void *memory, size_t before, size_t bytes, int flags, ...) {
    void *at = NULL, *moved;
    va_list rest;
    va_start(rest, flags);
    if ((flags & MREMAP_FIXED) != 0) at = va_arg(rest, void *);
    va_end(rest);
    ends(memory, before, SVS__CALLER());
    if ((flags & MREMAP_FIXED) != 0) ends(at, bytes, SVS__CALLER());
    moved = svs__real_mremap(memory, before, bytes, flags, at);
    if (moved == MAP_FAILED) begins(memory, before); /* the old mapping lives on */
    else {
        begins(moved, bytes);
        WRITES(moved, before < bytes ? before : bytes);
    }
    return moved;
}
