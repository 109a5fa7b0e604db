/* Who owns which bytes: memory objects, and what stands for addresses and indices; with what is
 * remembered of accesses, by pages of 4 KiB. */
#include "base/memory.h"
#include "dpst/graph.h"
#include <string.h>

#define BUCKETS ((size_t)1 << 16)
#define PAGE_SHIFT 12

static _Atomic(svs__page *) *buckets;
static svs__lock lock; /* owners are made and taken away under it */
/* Spaces of which ranges are known; when there are more, all count as known. Under the lock. */
#define SPACES 256u
static const void *spaces[SPACES];
static uint32_t space_count;

static const svs_allocator *const allocator = &svs__allocator_libc;

bool svs__owners_init(void) {
    buckets = svs__allocate_zeroed(allocator, BUCKETS * sizeof *buckets, _Alignof(svs__page *));
    return buckets != NULL;
}

/* An owner is released with the page that it begins in, when the others have let go of it. */
static void clean_up_page(svs__page *page, bool last) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < page->owner_count; i++) {
        svs__owner *owner = page->owners[i];
        if (last) svs__release(allocator, owner, sizeof *owner, _Alignof(svs__owner));
        else if (owner->begin >> PAGE_SHIFT == page->number) page->owners[kept++] = owner;
    }
    page->owner_count = kept;
    if (!last) return;
    svs__array_release(allocator, page->owners, page->owner_capacity, sizeof(svs__owner *));
    svs__release(allocator, page, sizeof *page, SVS__CACHE_LINE);
}

static void clean_up_pages(bool last) {
    for (size_t i = 0; i < BUCKETS; i++) {
        svs__page *page = svs__load_relaxed(&buckets[i]); /* relaxed: alone */
        while (page != NULL) {
            svs__page *next = page->next;
            clean_up_page(page, last);
            page = next;
        }
    }
}

void svs__owners_clean_up(void) {
    if (buckets == NULL) return;
    clean_up_pages(false);
    clean_up_pages(true);
    svs__release(allocator, buckets, BUCKETS * sizeof *buckets, _Alignof(svs__page *));
    buckets = NULL;
    space_count = 0;
}

/* ---- pages ---- */

static svs__page *find(svs__page *from, uintptr_t number) {
    while (from != NULL && from->number != number) from = from->next;
    return from;
}

static svs__page *page_of(uintptr_t number, bool make) {
    _Atomic(svs__page *) *bucket = &buckets[(number * UINT64_C(0x9E3779B97F4A7C15)) >> 48];
    /* acquire: the page as it was made. Pages stay until the end. */
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
        /* acq_rel: publishes the page, and sees those of others. */
    } while (!svs__cas_weak_acq_rel(bucket, &first, made));
    return made;
}

svs__page *svs__page_lock(uintptr_t address, bool make) {
    svs__page *page = buckets == NULL ? NULL : page_of(address >> PAGE_SHIFT, make);
    uint32_t age;
    if (page == NULL) return NULL;
    svs__lock_acquire(&page->lock);
    age = svs__load_relaxed(&svs__graph_age); /* relaxed: it changes while nothing runs */
    if (page->age != age) {                   /* G3 */
        memset(page->blocks, 0, sizeof page->blocks);
        page->free = NULL;
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
        /* Of objects inside of each other the innermost one is the owner. */
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

/* ---- owners ---- */

static bool add_to(uintptr_t number, svs__owner *owner) {
    svs__page *page = svs__page_lock(number << PAGE_SHIFT, true);
    void *owners;
    bool done;
    if (page == NULL) return false;
    owners = page->owners;
    done = svs__grow(allocator, &owners, &page->owner_capacity, page->owner_count + 1,
                     sizeof(svs__owner *));
    page->owners = owners;
    if (done) page->owners[page->owner_count++] = owner;
    svs__lock_release(&page->lock);
    return done;
}

static void take_from(uintptr_t number, const svs__owner *owner) {
    svs__page *page = svs__page_lock(number << PAGE_SHIFT, false);
    uint32_t at = 0;
    if (page == NULL) return;
    while (at < page->owner_count && page->owners[at] != owner) at++;
    if (at < page->owner_count) /* the others stay in their order, which entries rely on */
        memmove(page->owners + at, page->owners + at + 1,
                (--page->owner_count - at) * sizeof(svs__owner *));
    svs__lock_release(&page->lock);
}

static uintptr_t first_page(const svs__owner *owner) { return owner->begin >> PAGE_SHIFT; }
static uintptr_t last_page(const svs__owner *owner) { return (owner->end - 1) >> PAGE_SHIFT; }

/* Under the lock. */
static void remove_owner(svs__owner *owner) {
    for (uintptr_t page = first_page(owner); page <= last_page(owner); page++)
        take_from(page, owner);
    svs__graph_clear(owner->begin, owner->end - owner->begin);
    svs__release(allocator, owner, sizeof *owner, _Alignof(svs__owner));
}

static bool has_space(const void *space) {
    for (uint32_t i = 0; i < space_count; i++)
        if (spaces[i] == space) return true;
    return space_count == SPACES;
}

bool svs__owners_know_space(const void *space) {
    bool known;
    svs__lock_acquire(&lock);
    known = has_space(space);
    svs__lock_release(&lock);
    return known;
}

bool svs__own(const svs__owner *like) {
    svs__owner *owner;
    bool done = true;
    if (like->begin >= like->end) return true;
    owner = svs__allocate(allocator, sizeof *owner, _Alignof(svs__owner));
    if (owner == NULL) return false;
    *owner = *like;
    svs__lock_acquire(&lock);
    svs__graph_clear(owner->begin, owner->end - owner->begin);
    for (uintptr_t page = first_page(owner); done && page <= last_page(owner); page++)
        done = add_to(page, owner);
    if (!done) remove_owner(owner);
    else if (like->kind == SVS__OWNER_INDEX && !has_space(like->what))
        spaces[space_count++] = like->what;
    svs__lock_release(&lock);
    return done;
}

/* Under the lock. */
static svs__owner *find_owner(uintptr_t address, const void *what) {
    svs__page *page = svs__page_lock(address, false);
    svs__owner *found = NULL;
    if (page == NULL) return NULL;
    for (uint32_t i = 0; i < page->owner_count && found == NULL; i++)
        if (page->owners[i]->what == what) found = page->owners[i];
    svs__lock_release(&page->lock);
    return found;
}

void svs__disown(const void *what) {
    svs__owner *owner;
    svs__lock_acquire(&lock);
    while ((owner = find_owner((uintptr_t)what, what)) != NULL) remove_owner(owner);
    svs__lock_release(&lock);
}

/* One that belongs to `of`, in a page of the bucket. */
static svs__owner *next_of(svs__page *page, const void *of) {
    for (; page != NULL; page = page->next)
        for (uint32_t i = 0; i < page->owner_count; i++)
            if (page->owners[i]->world == of || page->owners[i]->what == of) return page->owners[i];
    return NULL;
}

void svs__disown_all(const void *of) {
    svs__lock_acquire(&lock);
    for (size_t i = 0; i < BUCKETS; i++) {
        svs__owner *owner;
        /* acquire: pages as they were made. */
        while ((owner = next_of(svs__load_acquire(&buckets[i]), of)) != NULL) remove_owner(owner);
    }
    svs__lock_release(&lock);
}

void svs__owner_hand_off(const void *what) {
    svs__owner *owner;
    svs__page *page;
    svs__lock_acquire(&lock);
    owner = find_owner((uintptr_t)what, what);
    page = owner == NULL ? NULL : svs__page_lock(owner->begin, false);
    if (page != NULL) {
        svs__store_relaxed(&owner->maker, 0); /* relaxed: only the maker's own calls see it */
        svs__lock_release(&page->lock);
    }
    svs__lock_release(&lock);
}

bool svs__owners_commute(uintptr_t address) {
    svs__page *page = svs__page_lock(address, false);
    bool any = false;
    if (page == NULL) return false;
    for (uint32_t i = 0; i < page->owner_count; i++) {
        svs__owner *owner = page->owners[i];
        if (address < owner->begin || address >= owner->end) continue;
        svs__store_relaxed(&owner->commutative, true); /* relaxed: told before it matters */
        any = true;
    }
    svs__lock_release(&page->lock);
    return any;
}

bool svs__owners_know(const void *address) {
    bool known;
    svs__lock_acquire(&lock);
    known = find_owner((uintptr_t)address, address) != NULL;
    svs__lock_release(&lock);
    return known;
}

void svs__disown_range(uintptr_t address) {
    svs__lock_acquire(&lock);
    for (;;) {
        svs__page *page = svs__page_lock(address, false);
        svs__owner *found = NULL;
        if (page == NULL) break;
        for (uint32_t i = 0; i < page->owner_count && found == NULL; i++)
            if (page->owners[i]->begin == address && page->owners[i]->kind != SVS__OWNER_OBJECT)
                found = page->owners[i];
        svs__lock_release(&page->lock);
        if (found == NULL) break;
        remove_owner(found);
    }
    svs__lock_release(&lock);
}
