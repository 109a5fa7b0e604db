/* Adds and removes owners of bytes (page.h). */
#include "base/memory.h"
#include "dpst/graph/page.h"
#include <string.h>

static svs__lock lock; /* guards the making and the removal of owners */

static const svs_allocator *const allocator = &svs__graph_allocator;

static bool add_to(uintptr_t number, svs__owner *owner) {
    svs__page *page = svs__page_lock(number << SVS__PAGE_SHIFT, true);
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
    svs__page *page = svs__page_lock(number << SVS__PAGE_SHIFT, false);
    uint32_t at = 0;
    if (page == NULL) return;
    while (at < page->owner_count && page->owners[at] != owner) at++;
    if (at < page->owner_count) /* the others keep their order, on which entries rely */
        memmove(page->owners + at, page->owners + at + 1,
                (--page->owner_count - at) * sizeof(svs__owner *));
    svs__lock_release(&page->lock);
}

static uintptr_t first_page(const svs__owner *owner) { return owner->begin >> SVS__PAGE_SHIFT; }
static uintptr_t last_page(const svs__owner *owner) { return (owner->end - 1) >> SVS__PAGE_SHIFT; }

/* Removes an owner from its pages. The caller holds the lock. */
static void remove_owner(svs__owner *owner) {
    for (uintptr_t page = first_page(owner); page <= last_page(owner); page++)
        take_from(page, owner);
    svs__graph_clear(owner->begin, owner->end - owner->begin);
    svs__release(allocator, owner, sizeof *owner, _Alignof(svs__owner));
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
    svs__lock_release(&lock);
    return done;
}

typedef bool is_wanted(const svs__owner *owner, const void *what);

static bool is_of(const svs__owner *owner, const void *what) { return owner->what == what; }
static bool is_range_at(const svs__owner *owner, const void *begin) {
    return owner->begin == (uintptr_t)begin && owner->kind != SVS__OWNER_OBJECT;
}

/* Finds an owner in the page of `what`. The caller holds the lock. */
static svs__owner *find_owner(const void *what, is_wanted *wanted) {
    svs__page *page = svs__page_lock((uintptr_t)what, false);
    svs__owner *found = NULL;
    if (page == NULL) return NULL;
    for (uint32_t i = 0; i < page->owner_count && found == NULL; i++)
        if (wanted(page->owners[i], what)) found = page->owners[i];
    svs__lock_release(&page->lock);
    return found;
}

static void disown(const void *what, is_wanted *wanted) {
    svs__owner *owner;
    svs__lock_acquire(&lock);
    while ((owner = find_owner(what, wanted)) != NULL) remove_owner(owner);
    svs__lock_release(&lock);
}

void svs__disown(const void *what) { disown(what, is_of); }

/* Finds an owner that belongs to the world, in the pages of a bucket that begin with `page`. */
static svs__owner *next_of(const svs__page *page, const svs_world *world) {
    for (; page != NULL; page = page->next)
        for (uint32_t i = 0; i < page->owner_count; i++)
            if (page->owners[i]->world == world) return page->owners[i];
    return NULL;
}

void svs__graph_world_gone(const svs_world *world) {
    svs__lock_acquire(&lock);
    for (size_t i = 0; i < SVS__PAGE_BUCKETS; i++) {
        svs__owner *owner;
        while ((owner = next_of(svs__page_bucket(i), world)) != NULL) remove_owner(owner);
    }
    svs__lock_release(&lock);
}

void svs__graph_published(const svs_object *object) {
    svs__owner *owner;
    svs__lock_acquire(&lock);
    owner = find_owner(object, is_of);
    /* relaxed is enough: only accesses of the maker itself depend on it. */
    if (owner != NULL) svs__store_relaxed(&owner->maker, 0);
    svs__lock_release(&lock);
}

bool svs__owner_is_commutative(const void *what) {
    const svs__owner *owner;
    bool commutes;
    svs__lock_acquire(&lock);
    owner = find_owner(what, is_of);
    /* relaxed: it was set before it matters */
    commutes = owner != NULL && svs__load_relaxed(&owner->commutative);
    svs__lock_release(&lock);
    return commutes;
}

void svs__owners_abandon(void) { lock = (svs__lock)SVS__LOCK_INIT; }

/* ---- ranges that the program names ---- */

/* Adds an owner. Memory that is not checked is no error: the call is correct, and has no effect. */
static svs_status own(const svs__owner *owner, const char *call) {
    if (owner->what == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "%s: no memory, or no space: pass its address", call);
    if (owner->end <= owner->begin)
        return svs__refuse(NULL, SVS_E_INVALID,
                           "%s: a range of no bytes, or beyond the end of memory: pass its size",
                           call);
    if (svs__watching() == NULL) return SVS_OK;
    return svs__own(owner) ? SVS_OK : SVS_E_NO_MEMORY;
}

/* The address after `count` elements; `begin` when there are none, or when they do not fit into the
 * address space. */
static uintptr_t end_of(uintptr_t begin, size_t bytes, uint64_t count) {
    if (bytes == 0 || count > (UINTPTR_MAX - begin) / bytes) return begin;
    return begin + bytes * count;
}

static svs_status own_bytes(uint32_t kind, const void *memory, size_t bytes, const char *name,
                            const char *call) {
    uintptr_t at = (uintptr_t)memory;
    return own(
        &(svs__owner){.begin = at, .end = at + bytes, .what = memory, .kind = kind, .name = name},
        call);
}

svs_status svs_check_object_range(const void *address, size_t bytes, const char *name) {
    return own_bytes(SVS__OWNER_ADDRESS, address, bytes, name, "svs_check_object_range");
}

svs_status svs_check_immutable_range(const void *memory, size_t bytes, const char *name) {
    return own_bytes(SVS__OWNER_IMMUTABLE, memory, bytes, name, "svs_check_immutable_range");
}

/* Adds an array as an owner, each of whose elements is a thing of its own. */
static svs_status own_elements(svs__owner owner, const void *memory, size_t bytes, uint64_t count,
                               const char *call) {
    owner.begin = (uintptr_t)memory;
    owner.end = end_of(owner.begin, bytes, count);
    owner.stride = bytes;
    if (memory == NULL) owner.what = NULL;
    return own(&owner, call);
}

svs_status svs_check_index_range(const svs_space *space, uint64_t first, const void *memory,
                                 size_t bytes, uint64_t count, const char *name) {
    svs__owner owner = {.what = space, .index = first, .kind = SVS__OWNER_INDEX, .name = name};
    return own_elements(owner, memory, bytes, count, "svs_check_index_range");
}

svs_status svs_check_worker_range(const void *memory, size_t bytes, uint64_t count,
                                  const char *name) {
    svs__owner owner = {
        .what = memory, .kind = SVS__OWNER_WORKER, .commutative = true, .name = name};
    return own_elements(owner, memory, bytes, count, "svs_check_worker_range");
}

void svs_check_forget_range(const void *memory) {
    if (svs__watching() != NULL) disown(memory, is_range_at);
}

/* Marks the owners of the address as commutative. @return whether it has any. */
static bool commute_at(uintptr_t address) {
    svs__page *page = svs__page_lock(address, false);
    bool any = false;
    if (page == NULL) return false;
    for (uint32_t i = 0; i < page->owner_count; i++) {
        svs__owner *owner = page->owners[i];
        if (address < owner->begin || address >= owner->end) continue;
        svs__store_relaxed(&owner->commutative, true); /* relaxed: it is set before it matters */
        any = true;
    }
    svs__lock_release(&page->lock);
    return any;
}

svs_status svs_check_commutative(const void *memory) {
    if (svs__watching() == NULL || commute_at((uintptr_t)memory)) return SVS_OK;
    return svs__refuse(NULL, SVS_E_INVALID,
                       "svs_check_commutative: nothing is known at %p: name it with a range first, "
                       "or make it a memory object",
                       memory);
}
