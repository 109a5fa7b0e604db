/* A staged domain's stage.
 *
 *   P1  one maker at a time: it holds the domain's lock, taken only by try;
 *   P2  a stage is begun when `left` is 0. It counts the instances that may be claimed and have not
 *       ended, one for the maker until the stage is complete, and one until the stage has ended;
 *       it is raised before `width` lets anyone in. A claim is a compare-exchange from a value that
 *       is of the width's number and below it: as long as that stands, something is left to claim,
 *       so that the stage cannot have ended;
 *   P3  the hold is released after the last instance ended, and before `left` becomes 0;
 *   P4  while instances may be claimed, `records` does not move: there was room for all that may
 *       come in when the first of them was offered. */
#ifndef SVS_SCHED_DOMAIN_STAGE_H
#define SVS_SCHED_DOMAIN_STAGE_H

#include "sched/domain/domain.h"

/* Lets others claim what has entered the stage and was not offered yet (P2). */
void svs__stage_offer(svs__domain *domain);
void svs__stage_offer_early(svs__domain *domain, const svs_context *context);
/* How many more may enter the stage. */
uint32_t svs__stage_room(const svs__domain *domain);
/* M1. @return false when there is no memory. */
bool svs__stage_make_room(svs__domain *domain, uint32_t records, uint32_t elements);
/* The record is admitted, and there is room for it. */
void svs__stage_enter(svs__domain *domain, svs__record *record);
/* Claims instances that were offered. @return how many were claimed, from *begin on. */
uint32_t svs__stage_claim(svs__domain *domain, uint32_t *begin);
/* Whether there is an instance to claim. Racy. */
bool svs__stage_has_unclaimed(svs__domain *domain);
/* `count` of what is left of the stage is done with; the last ends it (P3). */
void svs__stage_leave(svs__domain *domain, const svs_context *context, uint32_t count);

#endif
