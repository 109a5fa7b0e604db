/* Changes of admission's tables: a hold takes elements and signatures, and gives them back. The
 * caller holds admission's lock. admission.c compares sets before it calls these functions.
 *
 *   sched.Z1  a cell counts the held elements of its keys, by mode. While `counts_bits`,
 *       `bit_elements` counts them for each bit, and `summary` has the bits with a count above 0;
 *   sched.Z2  `signature` is the union of the signatures of all holds, by mode. `bit_holds` counts,
 *       for each bit, the holds that have it: several holds may read a bit, and the hold of an
 *       instance that completes later shares writes with another hold (sched.A9). */
#ifndef SVS_SCHED_ADMISSION_HELD_H
#define SVS_SCHED_ADMISSION_HELD_H

#include "sched/admission/table.h"

void svs__held_take(svs__admission *a, svs__element e);
void svs__held_give_back(svs__admission *a, svs__element e);

/* Compares and takes the elements one by one, while cells decide. @return false: a cell was taken
 * already, by another hold or by an earlier one of these elements, and nothing was taken. */
bool svs__held_take_free(svs__admission *a, svs__hold *hold, const svs__element *elements,
                         uint32_t count);

/* Takes elements that conflict with nothing. */
void svs__held_take_elements(svs__admission *a, svs__hold *hold, const svs__element *elements,
                             uint32_t count);

/* Takes a whole set that conflicts with nothing. */
void svs__held_take_set(svs__admission *a, svs__hold *hold, const svs__set *set);

/* Does what svs__held_take_set() does, for a set that another hold already has (sched.A9). */
void svs__held_keep_set(svs__admission *a, svs__hold *hold, const svs__set *set);

/* Empties the hold. */
void svs__held_empty(svs__admission *a, svs__hold *hold);

/* Called before the first signature: counts the held elements by bit, and keeps the counts from now
 * on. */
void svs__held_count_bits(svs__admission *a);

#endif
