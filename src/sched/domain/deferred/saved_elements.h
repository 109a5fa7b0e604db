/* Notes: the elements of instances that wait.
 *
 * A set that was made without a traversal and without a master's signature stays the same while its
 * instance waits, because a touch function reads nothing that a body writes. A deferred record with
 * a short set of this kind keeps the elements in a note. It is compared by these elements alone:
 * its touch function is not called, and its set is not made, a second time. A set of one element
 * needs no note (pending.h).
 *
 *   sched.U1  a note that is not free belongs to one record, and a record has at most one note;
 *   sched.U2  the elements of a note are those of the record's whole set (not asserted: it depends
 *       on what the user's touch function reads).
 *
 * A record names its note by 16 bits, which bounds the memory of a domain's notes. A record without
 * a note, as there are too many or no memory, has its set made again.
 *
 * Threads: guarded by the domain. */
#ifndef SVS_SCHED_DOMAIN_DEFERRED_SAVED_ELEMENTS_H
#define SVS_SCHED_DOMAIN_DEFERRED_SAVED_ELEMENTS_H

#include "base/check.h"
#include "memobj/set.h"

#define SVS__NOTE_ELEMENTS 8u
#define SVS__NOTES_MAX UINT16_MAX

typedef struct svs__note {
    uint32_t count;
    uint32_t next_free; /* number of the next, while no record has it */
    svs__element elements[SVS__NOTE_ELEMENTS];
} svs__note;

typedef struct svs__notes {
    svs__note *notes; /* from number 1 on */
    uint32_t capacity;
    uint32_t made; /* numbers that were in use at least once */
    uint32_t free; /* the first free number; 0: none */
} svs__notes;

/* Keeps the elements in a free note. @return its number, or 0: there is none. */
uint16_t svs__note_keep(svs__notes *notes, const svs_world *world, const svs__element *elements,
                        uint32_t count);
void svs__notes_clean_up(svs__notes *notes, const svs_world *world);

static inline const svs__note *svs__note_of(const svs__notes *notes, uint16_t number) {
    return &notes->notes[number - 1];
}

static inline void svs__note_drop(svs__notes *notes, uint16_t number) {
    SVS__ASSERT(number && number <= notes->made); /* sched.U1 */
    notes->notes[number - 1].next_free = notes->free;
    notes->free = number;
}

/* Whether the set may be noted (sched.U2). */
static inline bool svs__set_is_lasting(const svs__set *set) {
    return !set->walked && !set->root_count && !set->everything;
}

#endif
