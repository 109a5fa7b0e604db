/* Taking from admission's tables, and giving back: all under admission's lock. admission.c decides
 * what is taken.
 *
 *   Z1  a cell counts the elements that are held of it, by mode; while elements are counted by bit,
 *       too, a bit of `summary` says that its count is not 0;
 *   Z2  a signature of `signature` is the union of those of all holds: writes are disjoint (A1), so
 *       that a hold's bits are its own; reads are counted by holds. */
#ifndef SVS_SCHED_ADMISSION_HELD_H
#define SVS_SCHED_ADMISSION_HELD_H

#include "sched/admission/table.h"

void svs__held_take(svs__admission *a, svs__element e);
void svs__held_give_back(svs__admission *a, svs__element e);

/* While cells decide: takes each as it is looked at. @return false, and nothing is taken, when it
 * met one that is: another's, or one that the same elements have taken twice. */
bool svs__held_take_free(svs__admission *a, svs__hold *hold, const svs__element *elements,
                         uint32_t count);

/* Takes elements that meet nothing. */
void svs__held_take_elements(svs__admission *a, svs__hold *hold, const svs__element *elements,
                             uint32_t count);

/* Takes all of a set, which may be. */
void svs__held_take_set(svs__admission *a, svs__hold *hold, const svs__set *set);

/* Gives back all of a hold. */
void svs__held_empty(svs__admission *a, svs__hold *hold);

/* The first signature has come: what is held is counted by bit, and kept so from here on. */
void svs__held_count_bits(svs__admission *a);

#endif
