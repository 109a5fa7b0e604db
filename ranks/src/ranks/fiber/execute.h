/* Executes fibers. */
#ifndef SVS__RANKS_FIBER_EXECUTE_H
#define SVS__RANKS_FIBER_EXECUTE_H

#include "ranks/channel/lane.h"
#include "ranks/fiber/fiber.h"

/* Executes an enabled fiber, and frees it unless it has continued or is suspended. An in-place one
 * may interrupt another (ranks.F1). */
void svs__execute(svs_ranks *ranks, svs__fiber *slot);

/* ranks.F4, in builds with assertions: a number that changes when the bytes are modified. */
static inline uint64_t svs__fingerprint(const void *bytes, size_t count) {
    uint64_t hash = 0;
#if defined(NDEBUG)
    (void)bytes, (void)count;
#else
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < count; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
#endif
    return hash;
}

/* Begins the execution of an in-place fiber, or of one or more in-place handlers in a row. */
static inline void svs__in_place_begin(svs_ranks *ranks) {
    SVS__ASSERT(!ranks->fibers.in_place); /* ranks.F4: they do not nest */
    ranks->fibers.in_place = true;
    ranks->own.lane->handler = ranks->own.armed; /* ranks.B7 */
    ranks->own.lane->now = NULL;
}

/* Called after each handler of the row; another one may follow (ranks.B6). */
static inline void svs__in_place_behind(svs_ranks *ranks) {
    if (SVS__UNLIKELY(ranks->inner_count != 0)) svs__lanes_close_inner(ranks);
}

/* Called after the last one, if it has left no record for this rank. */
static inline void svs__in_place_end_alone(svs_ranks *ranks) {
    SVS__ASSERT(ranks->inner_count == 0 && svs__own_is_empty(ranks)); /* ranks.B6, ranks.B7 */
    ranks->fibers.in_place = false;
    ranks->own.lane->handler = NULL;           /* ranks.B7 */
    ranks->own.lane->now = ranks->own.handler; /* ranks.B7 */
}

static inline void svs__in_place_end(svs_ranks *ranks) {
    svs__in_place_behind(ranks);
    ranks->fibers.in_place = false;
    ranks->own.lane->handler = NULL;                                             /* ranks.B7 */
    ranks->own.lane->now = svs__own_is_empty(ranks) ? ranks->own.handler : NULL; /* ranks.B7 */
}

/* Calls an in-place handler with consecutive records. @param count the number of records; of bytes,
 * if their size is variable. @param all bytes of all records. */
static inline void svs__call_handler(svs_ranks *ranks, const svs__handler_entry *entry,
                                     const void *records, uint32_t count, size_t all) {
    void *part = entry->part != NULL ? entry->part : ranks->data;
    uint64_t before = svs__fingerprint(records, all);
    entry->call(ranks, part, records, count);
    svs__in_place_behind(ranks);
    if (svs__fingerprint(records, all) != before)
        (void)svs__fail(ranks, SVS_E_STATE,
                        "handler %s has modified its records: copy what it changes",
                        entry->handler->name);
}

/* The same, with begin and end. */
static inline void svs__call_in_place(svs_ranks *ranks, const svs__handler_entry *entry,
                                      const void *records, uint32_t count, size_t all) {
    svs__in_place_begin(ranks);
    svs__call_handler(ranks, entry, records, count, all);
    svs__in_place_end(ranks);
}

static inline void svs__run_count(svs_ranks *ranks, uint32_t count) {
    ranks->records_run += count;
    ranks->statistics.records_run += count;
    ranks->statistics.runs_in_place++;
}

/* The same with `count` records of `bytes` each, which it counts. */
static inline void svs__run_in_place(svs_ranks *ranks, const svs__handler_entry *entry,
                                     const void *records, uint32_t count, uint32_t bytes) {
    svs__run_count(ranks, count);
    ranks->fibers.request_left = count;
    svs__call_in_place(ranks, entry, records, entry->handler->bytes == 0 ? bytes : count,
                       (size_t)count * bytes);
}

#endif
