/* Deferred instances, by their conflict.
 *
 * The thesis puts a deferred instance back into the input queue and compares it again with every
 * stage. Here it waits in the bucket of the cell or bit of its conflict, and is compared again when
 * that cell or bit may be free: a few times in all, instead of once for each stage. After a
 * different conflict it moves to the bucket of the new conflict.
 *
 * For most records the elements of the set are kept, because they stay the same. A record whose set
 * has one element is *single*: it waits in the bucket of the element. Other records may have a note
 * (waiting.h). Both are *known*: a new comparison calls no code of the user and makes no set.
 *
 *   sched.Q1  each deferred record is in exactly one bucket, that of its `blocked_key`. `nonempty`
 *       has the bits of the buckets with records, and `count` is the number of records;
 *   sched.Q2  a bucket is a queue: records leave from the front, and `last` ends the list;
 *   sched.Q3  `sets` counts the records that are not known;
 *   sched.Q4  a record has a note only while it is in a bucket, or on its way into one. A single
 *       record has none;
 *   sched.Q5  `freed` has the bucket of each object of the world that was freed up to `freed_seen`.
 *       That object is in the world's quarantine, and stays there for the rest of the iteration. A
 *       known record that names a bucket of `freed` is forgotten when it is compared next: its set
 *       may name a freed object, which the lookup of a new set detects.
 *
 * The number of buckets grows with the number of waiting records: one bucket, in the domain itself,
 * while nothing waits when the domain is searched, and 2^SVS__BUCKET_BITS_MAX for many. Without
 * memory for more buckets, more records share one.
 *
 * Threads: guarded by the domain. */
#ifndef SVS_SCHED_DOMAIN_DEFERRED_PENDING_H
#define SVS_SCHED_DOMAIN_DEFERRED_PENDING_H

#include "sched/domain/deferred/buckets.h"
#include "sched/domain/env.h"

void svs__pending_init(svs__pending *pending);
void svs__pending_clean_up(svs__pending *pending, const svs_world *world);

/* Grows the number of buckets for the waiting records, if there is memory. */
void svs__pending_fit(svs__pending *pending, const svs_world *world);

/* Called at the start of an iteration: empties `freed`, because the objects freed in the last
 * iteration have left the quarantine (sched.Q5). */
void svs__pending_forget_freed(svs__pending *pending);

/* Adds the objects that were freed since the last call to `freed` (sched.Q5). Under admission's
 * lock these include each object that its last holder has released. */
SVS__COLD void svs__pending_see_freed_since(svs__pending *pending, uintptr_t last);
static inline void svs__pending_see_freed(svs__pending *pending, const svs_world *world) {
    uintptr_t last = svs__freed_last(world);
    if (SVS__UNLIKELY(last != pending->freed_seen)) svs__pending_see_freed_since(pending, last);
}

/* Whether a known record may name a freed object (sched.Q5). */
SVS__COLD bool svs__pending_names_freed(const svs__pending *pending, const svs__record *record);

/* Adds a record at the end of the bucket of its conflict or, with `front`, at the front, from where
 * it was taken. The record keeps its note. */
void svs__pending_put(svs__pending *pending, svs__record *record, const svs__conflict *met,
                      bool front);

/* Removes the first record of a bucket, and drops its note. @return the record; NULL: the bucket is
 * empty. */
svs__record *svs__pending_take(svs__pending *pending, uint32_t bucket);

/* Removes a record from its bucket, at any place. */
void svs__pending_take_out(svs__pending *pending, svs__record *record);

/* Makes a record in a bucket unknown, so that its set is made again for the next comparison. */
void svs__pending_forget(svs__pending *pending, svs__record *record);

/* Called after another refusal of a known record in a bucket. After many refusals, if it may
 * reserve, the record is forgotten, because a reservation needs its set. */
void svs__pending_tire(svs__pending *pending, svs__record *record, bool may_reserve);

/* Checks sched.Q1 to sched.Q5 and sched.U1. Walks every bucket and the objects of `freed`. */
bool svs__pending_is_valid(const svs__pending *pending);

#endif
