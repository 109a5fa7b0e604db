/* Pages of 4 KiB, with the owners of their bytes and the entries of accesses (page.h). */
#include "dpst/graph/page.h"
#include "base/memory.h"
#include <string.h>

static _Atomic(svs__page *) *buckets;
static _Atomic(size_t) page_count; /* relaxed at each use: an independent number */

static const svs_allocator *const allocator = &svs__graph_allocator;

bool svs__graph_pages_init(void) {
    buckets =
        svs__allocate_zeroed(allocator, SVS__PAGE_BUCKETS * sizeof *buckets, _Alignof(svs__page *));
    return buckets != NULL;
}

/* Cleans up a page. The first pass keeps an owner only in the page in which it begins; the last
 * pass releases it with that page. */
static void clean_up_page(svs__page *page, bool last) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < page->owner_count; i++) {
        svs__owner *owner = page->owners[i];
        if (last) svs__release(allocator, owner, sizeof *owner, _Alignof(svs__owner));
        else if (owner->begin >> SVS__PAGE_SHIFT == page->number) page->owners[kept++] = owner;
    }
    page->owner_count = kept;
    if (!last) return;
    svs__array_release(allocator, page->owners, page->owner_capacity, sizeof(svs__owner *));
    svs__release(allocator, page, sizeof *page, SVS__CACHE_LINE);
}

static void clean_up_pages(bool last) {
    for (size_t i = 0; i < SVS__PAGE_BUCKETS; i++) {
        svs__page *page = svs__load_relaxed(&buckets[i]); /* relaxed: no other thread is there */
        while (page != NULL) {
            svs__page *next = page->next;
            clean_up_page(page, last);
            page = next;
        }
    }
}

void svs__graph_pages_clean_up(void) {
    if (buckets == NULL) return;
    clean_up_pages(false);
    clean_up_pages(true);
    svs__release(allocator, buckets, SVS__PAGE_BUCKETS * sizeof *buckets, _Alignof(svs__page *));
    buckets = NULL;
    svs__store_relaxed(&page_count, 0);
}

void svs__graph_pages_abandon(void) {
    buckets = NULL;
    svs__store_relaxed(&page_count, 0);
}

size_t svs__graph_pages_bytes(void) { return svs__load_relaxed(&page_count) * sizeof(svs__page); }

/* ---- pages ---- */

static svs__page *find(svs__page *from, uintptr_t number) {
    while (from != NULL && from->number != number) from = from->next;
    return from;
}

static svs__page *page_of(uintptr_t number, bool make) {
    _Atomic(svs__page *) *bucket = &buckets[(number * UINT64_C(0x9E3779B97F4A7C15)) >> 48];
    /* acquire: sees the page as it was made. Pages stay until the last check ends. */
    svs__page *first = svs__load_acquire(bucket), *page = find(first, number), *made;
    if (page != NULL || !make) return page;
    made = svs__allocate_zeroed(allocator, sizeof *made, SVS__CACHE_LINE);
    if (made == NULL) return NULL;
    made->number = number;
    do {
        page = find(first, number);
        if (page != NULL) {
            svs__release(allocator, made, sizeof *made, SVS__CACHE_LINE);
            return page;
        }
        made->next = first;
        /* acq_rel: publishes this page, and sees the pages of other threads. */
    } while (!svs__cas_weak_acq_rel(bucket, &first, made));
    (void)svs__fetch_add_relaxed(&page_count, 1);
    return made;
}

svs__page *svs__page_bucket(size_t bucket) {
    return svs__load_acquire(&buckets[bucket]); /* acquire: sees the pages as they were made */
}

svs__page *svs__page_lock(uintptr_t address, bool make) {
    svs__page *page = buckets == NULL ? NULL : page_of(address >> SVS__PAGE_SHIFT, make);
    uint32_t age;
    if (page == NULL) return NULL;
    svs__lock_acquire(&page->lock);
    age = svs__load_relaxed(&svs__graph_age); /* relaxed: it changes while nothing runs */
    if (page->age != age) {                   /* dpst.G3 */
        memset(page->blocks, 0, sizeof page->blocks);
        memset(page->free, 0, sizeof page->free);
        page->stretches = NULL;
        page->age = age;
    }
    return page;
}

static size_t size_of(const svs__owner *owner) {
    return owner->stride != 0 ? owner->stride : owner->end - owner->begin;
}

uint32_t svs__page_owners(const svs__page *page, uintptr_t address, svs__owner **owners,
                          uintptr_t *end) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < page->owner_count; i++) {
        svs__owner *o = page->owners[i];
        uint32_t at = count;
        if (address < o->begin && o->begin < *end) *end = o->begin;
        if (address < o->begin || address >= o->end) continue;
        if (o->end < *end) *end = o->end;
        if (o->stride != 0) {
            uintptr_t next = address + o->stride - (address - o->begin) % o->stride;
            if (next < *end) *end = next;
        }
        /* Of objects inside of each other, the innermost one becomes the owner. */
        if (o->kind == SVS__OWNER_OBJECT && count != 0) {
            if (owners[0]->kind == SVS__OWNER_OBJECT) {
                if (size_of(o) < size_of(owners[0])) owners[0] = o;
                continue;
            }
        }
        if (count == SVS__OWNERS) continue;
        if (o->kind == SVS__OWNER_OBJECT) at = 0;
        memmove(owners + at + 1, owners + at, (count - at) * sizeof(void *));
        owners[at] = o;
        count++;
    }
    return count;
}

/* ---- stretches ---- */

static bool add_stretch(uintptr_t number, const svs__address_bytes *like) {
    svs__page *page = svs__page_lock(number << SVS__PAGE_SHIFT, true);
    svs__address_bytes *s;
    if (page == NULL) return false;
    for (s = page->stretches; s != NULL; s = s->next)
        if (s->what == like->what && s->end == like->end) break;
    if (s == NULL && (s = svs__graph_allocate(sizeof *s)) != NULL) {
        *s = *like;
        s->next = page->stretches;
        page->stretches = s;
    }
    svs__lock_release(&page->lock);
    return s != NULL;
}

bool svs__page_add_bytes(const void *what, size_t bytes) {
    uintptr_t begin = (uintptr_t)what, end = begin + bytes;
    svs__address_bytes like = {NULL, begin, end, what};
    bool done = true;
    if (end <= begin) return true;
    for (uintptr_t page = begin >> SVS__PAGE_SHIFT; page <= (end - 1) >> SVS__PAGE_SHIFT; page++)
        done = add_stretch(page, &like) && done;
    return done;
}

const svs__address_bytes *svs__page_bytes_at(const svs__page *page, const svs__address_bytes *s,
                                             uintptr_t address, uintptr_t *end) {
    for (s = s == NULL ? page->stretches : s->next; s != NULL; s = s->next) {
        if (address < s->begin && s->begin < *end) *end = s->begin;
        if (address < s->begin || address >= s->end) continue;
        if (s->end < *end) *end = s->end;
        return s;
    }
    return NULL;
}

/* Removes the stretches that overlap with the range. */
static void clear_stretches(svs__page *page, uintptr_t from, uintptr_t to) {
    for (svs__address_bytes **at = &page->stretches; *at != NULL;)
        if ((*at)->begin < to && from < (*at)->end) *at = (*at)->next;
        else at = &(*at)->next;
}

/* ---- entries ---- */

/* Makes room for 1 << `power` entries. */
static svs__entries *make_room(svs__page *page, uint32_t power) {
    svs__entries *made = page->free[power];
    if (made != NULL) page->free[power] = made->next;
    else made = svs__graph_allocate(sizeof *made + (sizeof *made->items << power));
    if (made == NULL) return NULL;
    made->room = 1u << power;
    made->count = 0;
    return made;
}

/* Doubles the room of a block. @return false when there is no memory. */
static bool grow(svs__page *page, svs__entries **block) {
    svs__entries *old = *block, *larger;
    uint32_t power = old == NULL ? 0 : (uint32_t)__builtin_ctz(old->room) + 1;
    larger = power < SVS__ENTRY_ROOMS ? make_room(page, power) : NULL;
    if (larger == NULL) return false;
    *block = larger;
    if (old == NULL) return true;
    memcpy(larger->items, old->items, old->count * sizeof *old->items);
    larger->count = old->count;
    old->next = page->free[power - 1];
    page->free[power - 1] = old;
    return true;
}

svs__access_entry *svs__entry_add(svs__page *page, svs__entries **block) {
    if ((*block == NULL || (*block)->count == (*block)->room) && !grow(page, block)) return NULL;
    return &(*block)->items[(*block)->count++];
}

void svs__entry_drop(svs__entries *entries, uint32_t at) {
    svs__access_entry *e = &entries->items[at];
    memmove(e, e + 1, (--entries->count - at) * sizeof *e);
}

void svs__entries_sweep(svs__entries *entries) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < entries->count; i++) {
        if (entries->items[i].bytes == 0) continue;
        if (kept != i) entries->items[kept] = entries->items[i];
        kept++;
    }
    entries->count = kept;
}

static void clear_entries(svs__entries *entries, uint8_t bytes) {
    if (entries == NULL) return;
    for (uint32_t i = 0; i < entries->count; i++) entries->items[i].bytes &= (uint8_t)~bytes;
    svs__entries_sweep(entries);
}

/* Forgets what is recorded of the bytes from `from` up to `to`, which are in one page. */
static void clear_page(svs__page *page, uintptr_t from, uintptr_t to) {
    while (from < to) {
        uintptr_t block = from & ~(uintptr_t)7, next = block + 8 < to ? block + 8 : to;
        clear_entries(*svs__page_block(page, block),
                      (uint8_t)(((1u << (next - from)) - 1) << (from - block)));
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
            clear_stretches(page, address, next);
            svs__lock_release(&page->lock);
        }
        address = next;
    }
}
