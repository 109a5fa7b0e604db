/* A staged domain's stage.
 *
 *   sched.P1  at most one worker makes a stage of a domain, the maker. It holds the domain's lock,
 *       which workers acquire by try only;
 *   sched.P2  a stage begins when `left` is 0, or is 1 for the owner of a windowed domain's stage
 *       (sched.W3). `left` is the number of instances that may be claimed and have not ended, plus
 *       one for the maker until the stage is complete, plus one until the stage has ended. (In a
 *       stage dealt by worker index it counts groups, sched.P8.) It is increased before `width`
 *       offers more instances. A claim is a compare-exchange on `claim`, from a value that has the
 *       same number as `width` and a smaller count: while `claim` has that value, an instance is
 *       left to claim, so that the stage cannot have ended;
 *   sched.P3  the hold is released after the last instance has ended, and before `left` becomes 0;
 *   sched.P4  while instances may be claimed, `items` does not move: the offer of the first of them
 *       has made room for all that may enter;
 *   sched.P5  a worker that has claimed instances (`claimed` of its context) runs them, or gives
 *       them back, before it claims others. Starting a dealt stage also claims the owner's piece;
 *       the owner has no other claim then, because the instances of its last stage have ended;
 *   sched.P6  a wide stage of a window is claimed from both ends: half of the workers claim from
 *       its back. Each worker therefore gets about the same items in each phase and iteration, and
 *       its cache still has them: QuakeSquad's frame took 0.95 to 0.99 of its time, Canneal 0.92
 *       to 0.94 (`./dev bench quakesquad`, `canneal`, two threads). Such a stage does not widen. */
#ifndef SVS_SCHED_DOMAIN_STAGE_STAGE_H
#define SVS_SCHED_DOMAIN_STAGE_STAGE_H

#include "base/check.h"
#include "sched/domain/domain.h"

/* Offers the instances that have entered the stage and were not offered yet (sched.P2). */
void svs__stage_offer(svs__domain *domain);
void svs__stage_offer_early(svs__domain *domain, const svs_context *context);
/* The number of instances that may still enter the stage. */
uint32_t svs__stage_room(const svs__domain *domain);
/* Makes room in the stage and its hold (sched.M1). @return false: no memory. */
bool svs__stage_make_room(svs__domain *domain, uint32_t records, uint32_t elements);
/* Puts an admitted record, which is not the reserver, into a stage with room for it. */
static inline void svs__stage_put(svs__stage *stage, svs__record *record) {
    SVS__ASSERT(stage->count < stage->capacity); /* sched.M1 */
    stage->items[stage->count++] = svs__record_item(record);
}
/* Does what svs__stage_put() does, for any record. */
void svs__stage_enter(svs__domain *domain, svs__record *record);
/* Claims offered instances, if there are any. @return whether there were. */
bool svs__stage_claim(svs__domain *domain, const svs__worker *worker, svs__claimed *claimed);
/* Called by the owner of a stage that has not begun (`left` is 1), after it has set `run`, `only`
 * and `end`: lets workers claim `count` instances, from both ends (`both_ends`) or from the front.
 * By this call the owner itself claims the first `own` instances at its end of the stage, which
 * `claimed` has then. The last worker that leaves calls `end`, and then owns the stage: `left` is
 * 1. */
void svs__stage_begin(svs__domain *domain, svs_context *owner, bool both_ends, uint32_t own,
                      uint32_t count);
/* Does what svs__stage_begin() does, but deals the stage by worker index (deal.h): each worker gets
 * `parts` pieces. If `keeps`, the call also claims the first piece of the owner. */
void svs__stage_begin_dealt(svs__domain *domain, svs_context *owner, uint32_t parts, bool keeps,
                            uint32_t count);
/* Whether there is an instance to claim. In a stage dealt by worker index, only the pieces of this
 * worker are looked at, or with NULL all pieces. The answer may be stale. */
bool svs__stage_has_unclaimed(svs__domain *domain, const svs__worker *worker);
/* Subtracts `count` from `left`; the last worker that does so ends the stage (sched.P3). */
void svs__stage_leave(svs__domain *domain, svs_context *context, uint32_t count);
/* Does the same for `count` claimed instances that have ended. */
void svs__stage_count_ended(svs_context *context, uint32_t count);

/* Tries to admit the record into the stage. @return whether it was admitted or dropped. If not,
 * *met is the conflict, and the context's set is the record's set. */
bool svs__stage_consider(svs__domain *domain, svs_context *context, svs__record *record,
                         svs__conflict *met);

/* Makes the next stage from deferred records and, with `arrivals`, from arrivals. The caller holds
 * the domain's lock. @return whether the stage has an instance. */
bool svs__stage_make(svs__domain *domain, svs_context *context, bool arrivals);

/* The parts of svs__stage_make(): the candidates of the two kinds. */
void svs__stage_consider_deferred(svs__domain *domain, svs_context *context);
void svs__stage_consider_arrivals(svs__domain *domain, svs_context *context);

/* ---- running (stage/staged.c) ---- */

/* Runs the instances that the worker has claimed, or claims some of the stage and runs these, until
 * its turn is over. @return whether there were any. */
bool svs__stage_run_some(svs__domain *domain, svs_context *context);

/* Does what svs__stage_run_some() does, but only claims. @return whether there were any
 * instances. */
bool svs__stage_claim_some(svs__domain *domain, svs_context *context);

/* Runs the claimed instances until the worker's turn is over, without leaving the stage.
 * @return how many have ended. */
uint32_t svs__stage_run_only(svs_context *context);

/* Leaves the stage for the `ran` instances that have ended, and for the claimed instances that are
 * given back without having run. */
void svs__stage_leave_claimed(svs_context *context, uint32_t ran);

#endif
