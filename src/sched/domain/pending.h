/* Deferred instances, by what blocked them.
 *
 * The thesis puts a deferred instance back into the input queue and compares it again with every
 * stage. Here it waits in the bucket of the cell or bit that it met, and is looked at again when
 * that may be free: an instance is compared a few times, not once a stage. When it then meets
 * something else it moves to the bucket of that.
 *
 * Of most records it is known here what they come to, and stays so: an instance of one element is
 * *single*, and waits with it; others may have a note of theirs (saved_elements.h). They are
 * *known*: to look at them again needs neither the user's code nor their sets.
 *
 *   Q1  every deferred record is in exactly one bucket; `nonempty` has the bits of those that hold
 *       any; `count` is their number;
 *   Q2  a bucket is first in, first out;
 *   Q3  `sets` counts those that are not known;
 *   Q4  a record has a note only while it is in a bucket, or on its way into one;
 *   Q5  `freed` has the bucket of each object of the world that was freed up to `freed_seen`, which
 *       is an element of the world's quarantine and stays one for as long as the iteration lasts. A
 *       known record that names such a bucket is known no longer when it is looked at: its set may
 *       name an object that was freed, and the lookup says so.
 *
 * There are as many buckets as what waits is worth: one, in the domain itself, until something
 * waits when a domain is looked at, and 2^SVS__BUCKET_BITS_MAX for many. When there is no memory
 * for more, more records share a bucket.
 *
 * Threads: guarded by the domain. */
#ifndef SVS_SCHED_DOMAIN_PENDING_H
#define SVS_SCHED_DOMAIN_PENDING_H

#include "sched/domain/buckets.h"
#include "sched/domain/env.h"

void svs__pending_init(svs__pending *pending);
void svs__pending_clean_up(svs__pending *pending, const svs_world *world);

/* As many buckets as the records that wait are worth, if there is memory. */
void svs__pending_fit(svs__pending *pending, const svs_world *world);

/* Another iteration: what was freed in the one before is gone from the quarantine (Q5). */
void svs__pending_forget_freed(svs__pending *pending);

/* Q5: catches up with what was freed. An object that its last holder has released is among that for
 * a caller that has admission's lock. */
SVS__COLD void svs__pending_see_freed_since(svs__pending *pending, uintptr_t last);
static inline void svs__pending_see_freed(svs__pending *pending, const svs_world *world) {
    uintptr_t last = svs__freed_last(world);
    if (SVS__UNLIKELY(last != pending->freed_seen)) svs__pending_see_freed_since(pending, last);
}

/* Whether a known record may name an object that was freed (Q5). */
SVS__COLD bool svs__pending_names_freed(const svs__pending *pending, const svs__record *record);

/* Puts a record to the end of the bucket of what it met, or to the front (where it came from). Its
 * note, if it has one, is kept. */
void svs__pending_put(svs__pending *pending, svs__record *record, const svs__conflict *met,
                      bool front);

/* Takes the first record of a bucket, or NULL. Its note is dropped. */
svs__record *svs__pending_take(svs__pending *pending, uint32_t bucket);

/* Takes a record out of its bucket, wherever it stands. */
void svs__pending_take_out(svs__pending *pending, svs__record *record);

/* A record in a bucket is known no longer: the next look at it makes its set. */
void svs__pending_forget(svs__pending *pending, svs__record *record);

/* A known record in a bucket was refused once more; after too often, when it may reserve, it is
 * known no longer, as what its set comes to is made for that. */
void svs__pending_tire(svs__pending *pending, svs__record *record, bool may_reserve);

/* Q1 to Q4. Walks every bucket. */
bool svs__pending_is_valid(const svs__pending *pending);

#endif
