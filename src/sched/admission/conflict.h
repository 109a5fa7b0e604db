/* Comparisons of a set with the held and the reserved sets. The caller holds admission's lock. */
#ifndef SVS_SCHED_ADMISSION_CONFLICT_H
#define SVS_SCHED_ADMISSION_CONFLICT_H

#include "sched/admission/table.h"

static inline bool svs__modes_conflict(uint32_t a, uint32_t b) {
    return a == SVS_MODE_WRITE || b == SVS_MODE_WRITE;
}

/* Whether two elements conflict, if only the bits of their keys above the low `shift` bits are
 * compared. */
static inline bool svs__elements_conflict(svs__element a, svs__element b, uint32_t shift) {
    return (uint64_t)a.key >> shift == (uint64_t)b.key >> shift &&
           svs__modes_conflict(a.mode, b.mode);
}

static inline bool svs__met_at(svs__conflict *conflict, svs__element e, svs__met met) {
    *conflict = (svs__conflict){e.key, e.mode, met, false};
    return false;
}

/* Whether no held set conflicts with the elements or the set, and, with `reserved`, no reserved set
 * either. If one does, `conflict` becomes the first conflict, and its end will raise the epoch
 * (sched.V5). */
bool svs__held_allows_elements(const svs__admission *a, const svs__element *elements,
                               uint32_t count, bool reserved, svs__conflict *conflict);
bool svs__held_allows(svs__admission *a, const svs__set *set, bool reserved,
                      svs__conflict *conflict);

/* Whether the conflict is with a cell that a search has found taken and that was not released since
 * (sched.V5). */
bool svs__held_is_awaited(const svs__admission *a, const svs__conflict *conflict);

/* Whether the cause of the conflict is gone. If not, its end will raise the epoch (sched.V5). */
bool svs__held_no_more(svs__admission *a, const svs__conflict *conflict, const void *reserver);

#endif
