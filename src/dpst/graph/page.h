/* The memory that graphs access, by pages of 4 KiB: the owners of the bytes, and an entry for each
 * access that is remembered.
 *
 *     page = svs__page_lock(address, true);
 *     count = svs__page_owners(page, address, owners, &end);
 *     ... page->blocks[...] ...
 *     svs__lock_release(&page->lock);
 *
 * A page is made when it is first needed, and stays until the last check ends. Its accesses are
 * forgotten when it is locked the next time after the past was (graph.h, dpst.G3).
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
    uint64_t index; /* of the first element */
    size_t stride;  /* bytes of an element; 0: it is one thing */
    uint32_t kind;
    _Atomic(bool) commutative;
    _Atomic(uint64_t) maker; /* the instance that made it and still holds it; 0: none */
    const svs_world *world;
    const svs_type *type;
    const char *name;
} svs__owner;

#define SVS__SETS_KEPT 32u /* dpst.G2 */
#define SVS__OWNERS 4u     /* of one byte, at most; further ones are not seen */

/* An access that is remembered: bytes of eight. It has all that most comparisons need: the instance
 * has most often left the caches. */
typedef struct svs__access_entry {
    const svs__instance *instance;
    uint64_t kind; /* the instance's */
    const void *pc;
    union {
        struct {
            uint32_t group;   /* the task's (svs__graph_run) */
            uint8_t declared; /* two bits an owner: 0 not at all, 1 to read, 2 to write */
            bool write;
            bool atomic;
            bool touch; /* by its touch function */
        };
        uint64_t form; /* all of these */
    };
    uint32_t step;
    uint32_t sends; /* the instance's, then */
    uint32_t frame;
    uint8_t bytes;
    bool everything; /* the instance's */
    bool clean;      /* it raced with none of those before it (dpst.G7) */
} svs__access_entry;

/* The remembered accesses of a block of eight bytes, oldest first. They lie in an array, because
 * each new access is compared with all of them. */
typedef struct svs__entries {
    struct svs__entries *next; /* in the list of free arrays */
    uint32_t count, room;
    svs__access_entry items[];
} svs__entries;
#define SVS__ENTRY_ROOMS 16u /* 1, 2, 4 ... entries */

/* Bytes that an address stands for, as an instance has declared (svs_access.limit). Forgotten with
 * the past, and where the bytes begin a new life. */
typedef struct svs__address_bytes {
    struct svs__address_bytes *next;
    uintptr_t begin, end;
    const void *what;
} svs__address_bytes;

/* Everything but `next` and `number`, which stay, is under the lock. */
typedef struct svs__page {
    struct svs__page *next;
    uintptr_t number;
    svs__lock lock;
    uint32_t age;
    svs__owner **owners;
    uint32_t owner_count, owner_capacity;
    svs__address_bytes *stretches; /* that reach into the page */
    svs__entries *free[SVS__ENTRY_ROOMS];
    svs__entries *blocks[SVS__PAGE_BYTES / 8]; /* NULL: nothing */
} svs__page;

/* @return false when there is no memory. */
bool svs__graph_pages_init(void);
/* With what belongs to the pages: owners and their lists. */
void svs__graph_pages_clean_up(void);
/* In the child of a fork: as svs__graph_abandon(). */
void svs__graph_pages_abandon(void);
size_t svs__graph_pages_bytes(void);

/* The page with its lock held; `make`: it is made. @return NULL: there is none. */
svs__page *svs__page_lock(uintptr_t address, bool make);
/* The first page of a bucket, below SVS__PAGE_BUCKETS; the others follow it. */
svs__page *svs__page_bucket(size_t bucket);
/* Owners of `address` into `owners`, the innermost object first; `*end`: those of the bytes up to
 * there are the same. Under the page's lock. @return how many. */
uint32_t svs__page_owners(const svs__page *page, uintptr_t address, svs__owner **owners,
                          uintptr_t *end);

/* The address stands for so many bytes from it on. @return false when there is no memory. */
bool svs__page_add_bytes(const void *what, size_t bytes);
/* The next stretch behind `s`, or the first, with the address in it, or NULL; `*end`: they are the
 * same up to there. Under the page's lock. */
const svs__address_bytes *svs__page_bytes_at(const svs__page *page, const svs__address_bytes *s,
                                             uintptr_t address, uintptr_t *end);

/* What is remembered of the eight bytes. */
static inline svs__entries **svs__page_block(svs__page *page, uintptr_t address) {
    return &page->blocks[address % SVS__PAGE_BYTES / 8];
}

/* ---- entries, under the page's lock ---- */

/* A new one, the last, with arbitrary contents. @return NULL when there is no memory. */
svs__access_entry *svs__entry_add(svs__page *page, svs__entries **block);
/* This one is taken out, or those without bytes; the others stay in their order. */
void svs__entry_drop(svs__entries *entries, uint32_t at);
void svs__entries_sweep(svs__entries *entries);

/* ---- owners (owner.c): memory objects, and ranges of addresses and indices ----
 *
 *     svs__owner owner = {.begin = at, .end = at + bytes, .what = address,
 *                         .kind = SVS__OWNER_ADDRESS, .name = "table"};
 *     if (!svs__own(&owner)) ... no memory ...
 *     svs__disown(address);
 *
 * Any thread calls these: one lock for all, and a page's for each 4 KiB. The
 * entries of the bytes are dropped when an owner comes or goes. */

/* A copy of `like` is made. @return false when there is no memory. */
bool svs__own(const svs__owner *like);

/* Takes away the owners of what begins, or has its header, at this address. */
void svs__disown(const void *what);
/* Did the program say of it that the order of accesses does not matter? */
bool svs__owner_is_commutative(const void *what);
/* In the child of a fork: as svs__graph_abandon(). */
void svs__owners_abandon(void);

#endif
