/* The memory that graphs access, by pages of 4 KiB: the owners of the bytes, and an entry for each
 * access that is remembered.
 *
 *     page = svs__page_lock(address, true);
 *     count = svs__page_owners(page, address, owners, &end);
 *     ... page->blocks[...] ...
 *     svs__lock_release(&page->lock);
 *
 * A page is made when it is first needed, and stays until the last check ends. When the past was
 * forgotten (graph.h, dpst.G3), a page forgets its accesses at its next lock.
 *
 * operation             caller         progress
 * lock                  any            lock-free up to the page, then its spin lock
 * owners, add, sweep    with the lock  -
 * clear                 any            as lock, for each page */
#ifndef SVS_DPST_GRAPH_PAGE_H
#define SVS_DPST_GRAPH_PAGE_H

#include "dpst/graph/graph.h"

#define SVS__PAGE_SHIFT 12
#define SVS__PAGE_BYTES ((uintptr_t)1 << SVS__PAGE_SHIFT)
#define SVS__PAGE_BUCKETS ((size_t)1 << 16)

enum {
    SVS__OWNER_OBJECT,
    SVS__OWNER_ADDRESS,
    SVS__OWNER_INDEX,
    SVS__OWNER_IMMUTABLE,
    SVS__OWNER_WORKER
};

typedef struct svs__owner {
    uintptr_t begin, end;
    const void *what;
    uint64_t index; /* index of the first element */
    size_t stride;  /* size of an element in bytes; 0: the owner is one thing */
    uint32_t kind;
    _Atomic(bool) commutative;
    _Atomic(uint64_t) maker; /* id of the instance that made it and still holds it; 0: none */
    const svs_world *world;
    const svs_type *type;
    const char *name;
} svs__owner;

/* number of entries kept of those that differ in the set alone (dpst.G2) */
#define SVS__SETS_KEPT 32u
#define SVS__OWNERS 4u /* maximal number of owners of one byte; further ones are ignored */

/* A remembered access to some of eight bytes. It contains all that most comparisons need, because
 * the instance has mostly left the caches. */
typedef struct svs__access_entry {
    const svs__instance *instance;
    uint64_t kind; /* kind of the instance */
    const void *pc;
    union {
        struct {
            uint32_t group;   /* number of the task among those of all runs (svs__graph_run) */
            uint8_t declared; /* two bits for each owner: 0 not at all, 1 to read, 2 to write */
            bool write;
            bool atomic;
            bool touch; /* the access is by the touch function */
        };
        uint64_t form; /* all of these in one word */
    };
    uint32_t step;
    uint32_t sends; /* `sends` of the instance at the access */
    uint32_t frame;
    uint8_t bytes;
    bool everything; /* `everything` of the instance */
    bool clean;      /* it raced with no earlier access (dpst.G7) */
} svs__access_entry;

/* The remembered accesses of a block of eight bytes, oldest first. They lie in an array, because
 * each new access is compared with all of them. */
typedef struct svs__entries {
    struct svs__entries *next; /* next one in the list of free arrays */
    uint32_t count, room;
    svs__access_entry items[];
} svs__entries;
#define SVS__ENTRY_ROOMS 16u /* number of sizes of arrays: 1, 2, 4 ... entries */

/* Bytes that an address stands for, as an instance has declared (svs_access.limit). They are
 * forgotten with the past, and when the bytes begin a new life. */
typedef struct svs__address_bytes {
    struct svs__address_bytes *next;
    uintptr_t begin, end;
    const void *what;
} svs__address_bytes;

/* The lock guards all fields except `next` and `number`, which do not change. */
typedef struct svs__page {
    struct svs__page *next;
    uintptr_t number;
    svs__lock lock;
    uint32_t age;
    svs__owner **owners;
    uint32_t owner_count, owner_capacity;
    svs__address_bytes *stretches; /* list of those that overlap with the page */
    svs__entries *free[SVS__ENTRY_ROOMS];
    svs__entries *blocks[SVS__PAGE_BYTES / 8]; /* entries of each block; NULL: there are none */
} svs__page;

/* @return false when there is no memory. */
bool svs__graph_pages_init(void);
/* Releases the pages and what belongs to them: owners and their lists. */
void svs__graph_pages_clean_up(void);
/* Called in the child of a fork, as svs__graph_abandon(). */
void svs__graph_pages_abandon(void);
size_t svs__graph_pages_bytes(void);

/* @return the page of the address, with its lock held; NULL: there is none. @param make whether to
 * make the page if there is none. */
svs__page *svs__page_lock(uintptr_t address, bool make);
/* @return the first page of the bucket with this number, below SVS__PAGE_BUCKETS; the other pages
 * of the bucket are linked to it. */
svs__page *svs__page_bucket(size_t bucket);
/* Writes the owners of `address` to `owners`, the innermost object first. All bytes up to `*end`
 * have the same owners. The caller holds the page's lock. @return the number of owners. */
uint32_t svs__page_owners(const svs__page *page, uintptr_t address, svs__owner **owners,
                          uintptr_t *end);

/* Records that the address stands for the `bytes` bytes that begin there. @return false when there
 * is no memory. */
bool svs__page_add_bytes(const void *what, size_t bytes);
/* @return the next stretch after `s`, or the first one if `s` is NULL, that contains the address;
 * NULL: there is none. All bytes up to `*end` are in the same stretches. The caller holds the
 * page's lock. */
const svs__address_bytes *svs__page_bytes_at(const svs__page *page, const svs__address_bytes *s,
                                             uintptr_t address, uintptr_t *end);

/* The entries of the block of eight bytes around `address`. */
static inline svs__entries **svs__page_block(svs__page *page, uintptr_t address) {
    return &page->blocks[address % SVS__PAGE_BYTES / 8];
}

/* ---- entries, under the page's lock ---- */

/* Appends an entry with arbitrary contents. @return NULL when there is no memory. */
svs__access_entry *svs__entry_add(svs__page *page, svs__entries **block);
/* svs__entry_drop() removes one entry, svs__entries_sweep() those without bytes; the others keep
 * their order. */
void svs__entry_drop(svs__entries *entries, uint32_t at);
void svs__entries_sweep(svs__entries *entries);

/* ---- owners (owner.c): memory objects, and ranges of addresses and indices ----
 *
 *     svs__owner owner = {.begin = at, .end = at + bytes, .what = address,
 *                         .kind = SVS__OWNER_ADDRESS, .name = "table"};
 *     if (!svs__own(&owner)) ... no memory ...
 *     svs__disown(address);
 *
 * Any thread may call these. One lock guards them all, and for each 4 KiB the lock of a page. The
 * entries of the bytes are dropped when an owner comes or goes. */

/* Adds a copy of `like` as an owner. @return false when there is no memory. */
bool svs__own(const svs__owner *like);

/* Removes the owners whose memory begins, or whose header is, at this address. */
void svs__disown(const void *what);
/* Has the program said that the order of accesses to it does not matter? */
bool svs__owner_is_commutative(const void *what);
/* Called in the child of a fork, as svs__graph_abandon(). */
void svs__owners_abandon(void);

#endif
