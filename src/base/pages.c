#include "base/pages.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *svs__pages_map(size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void svs__pages_unmap(void *pages, size_t bytes) {
    if (pages != NULL) (void)munmap(pages, bytes);
}

void svs__pages_ready(void *pages, size_t bytes) {
#if defined(MADV_HUGEPAGE)
    (void)madvise(pages, bytes, MADV_HUGEPAGE); /* one huge page costs less than many small ones */
#endif
    memset(pages, 0, bytes);
}

void svs__pages_forget(void *pages, size_t bytes) {
    /* Only Linux guarantees zeros after MADV_DONTNEED. */
#if defined(__linux__)
    if (madvise(pages, bytes, MADV_DONTNEED) == 0) return;
#endif
    memset(pages, 0, bytes);
}

/* Number of pages that one call of mincore() tests. */
#define AT_ONCE 4096u

size_t svs__pages_touched(void *pages, size_t bytes) {
    unsigned char there[AT_ONCE];
    size_t page = svs__pages_bytes(), touched = 0;
    char *at = pages, *end = at + bytes;
    while (at < end) {
        size_t part = (size_t)(end - at) < AT_ONCE * page ? (size_t)(end - at) : AT_ONCE * page;
        if (mincore(at, part, (void *)there) != 0) return touched;
        for (size_t i = 0; i < (part + page - 1) / page; i++) touched += (there[i] & 1) * page;
        at += part;
    }
    return touched;
}

size_t svs__pages_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

void svs__pages_prefer_huge(void *pages, size_t bytes) {
#if defined(MADV_HUGEPAGE)
    (void)madvise(pages, bytes, MADV_HUGEPAGE);
#else
    (void)pages, (void)bytes;
#endif
}

void svs__pages_fault_in(void *memory, size_t bytes) {
#if defined(MADV_POPULATE_WRITE)
    uintptr_t page = svs__pages_bytes(), begin = ((uintptr_t)memory + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
    if (end > begin) (void)madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
#else
    (void)memory, (void)bytes;
#endif
}
