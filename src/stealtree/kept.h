/* A hash table from the paths of asyncs to the workers that they are kept for: open addressing,
 * filled once, then read by all workers.
 *
 * Threads: one thread fills it while no other reads; then any thread may read. */
#ifndef SVS_STEALTREE_KEPT_H
#define SVS_STEALTREE_KEPT_H

#include "base/memory.h"

#define SVS__KEPT_NONE UINT32_MAX

typedef struct svs__kept_entry {
    uint64_t path;
    uint32_t worker;
    uint32_t used;
} svs__kept_entry;

typedef struct svs__kept_steals {
    /* `mask` + 1 entries, at least half of them free; NULL: the table is empty */
    svs__kept_entry *entries;
    uint64_t mask;
    uint64_t count;
} svs__kept_steals;

/* Reserves room for `count` paths. @return false when there is no memory. */
bool svs__kept_init(svs__kept_steals *kept, const svs_allocator *allocator, uint64_t count);
void svs__kept_clean_up(svs__kept_steals *kept, const svs_allocator *allocator);
/* Adds a path, or replaces the worker of a path in the table. */
void svs__kept_put(svs__kept_steals *kept, uint64_t path, uint32_t worker);

/* The upper bits of paths are well mixed (svs__path_below); the lower ones are consecutive. */
static inline uint64_t svs__kept_slot(const svs__kept_steals *kept, uint64_t path) {
    return (path ^ path >> 32) & kept->mask;
}

/* @return the worker, or SVS__KEPT_NONE. */
static inline uint32_t svs__kept_worker(const svs__kept_steals *kept, uint64_t path) {
    if (kept->entries == NULL) return SVS__KEPT_NONE;
    for (uint64_t at = svs__kept_slot(kept, path); kept->entries[at].used;
         at = (at + 1) & kept->mask)
        if (kept->entries[at].path == path) return kept->entries[at].worker;
    return SVS__KEPT_NONE;
}

#endif
