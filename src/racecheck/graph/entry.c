/* Accesses that are remembered, in lists by eight bytes of a page. */
#include "racecheck/graph/memory.h"
#include "racecheck/graph/page.h"

#define ENTRIES_AT_ONCE 32u

svs__entry *svs__entry_make(svs__page *page) {
    svs__entry *e = page->free;
    if (e == NULL) {
        svs__entry *more = svs__graph_allocate(ENTRIES_AT_ONCE * sizeof *more);
        for (uint32_t i = 0; more != NULL && i < ENTRIES_AT_ONCE; i++) {
            more[i].next = page->free;
            page->free = &more[i];
        }
        e = page->free;
    }
    if (e != NULL) page->free = e->next;
    return e;
}

static void clear_block(svs__page *page, uintptr_t block, uint8_t bytes) {
    svs__entry **at = svs__page_block(page, block), *e;
    while ((e = *at) != NULL) {
        e->bytes &= (uint8_t)~bytes;
        if (e->bytes == 0) svs__entry_unlink(page, at);
        else at = &e->next;
    }
}

/* Bytes from `from` up to `to`, of one page. */
static void clear_page(svs__page *page, uintptr_t from, uintptr_t to) {
    while (from < to) {
        uintptr_t block = from & ~(uintptr_t)7, next = block + 8 < to ? block + 8 : to;
        if (*svs__page_block(page, block) != NULL)
            clear_block(page, block, (uint8_t)(((1u << (next - from)) - 1) << (from - block)));
        from = next;
    }
}

void svs__graph_clear(uintptr_t address, size_t bytes) {
    uintptr_t end = address + bytes;
    while (address < end) {
        uintptr_t next = (address & ~(SVS__PAGE_BYTES - 1)) + SVS__PAGE_BYTES;
        svs__page *page = svs__page_lock(address, false);
        if (next > end) next = end;
        if (page != NULL) {
            clear_page(page, address, next);
            svs__lock_release(&page->lock);
        }
        address = next;
    }
}
