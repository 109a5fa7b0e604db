/* Notes: the elements of instances that wait.
 *
 * A set without a walk and without a master's signature stays what it is for as long as its
 * instance waits, as a touch function reads nothing that a body writes. A record that was deferred
 * with a short one keeps it in a note, and is looked at again by its elements alone: neither its
 * touch function is called nor its set made a second time. A set of one element needs no note
 * (pending.h).
 *
 *   U1  a record has a note, or none (0), and a note one record;
 *   U2  the elements of a note are all that the record's set comes to.
 *
 * A record names its note in 16 bits, which bounds what a domain's notes take. A record that gets
 * none, as there are too many or no memory, has its set made again.
 *
 * Threads: guarded by the domain. */
#ifndef SVS_SCHED_DOMAIN_SAVED_ELEMENTS_H
#define SVS_SCHED_DOMAIN_SAVED_ELEMENTS_H

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
    uint32_t made; /* numbers that were given out at least once */
    uint32_t free; /* the first of those that came back; 0: none */
} svs__notes;

/* @return the note's number, or 0: nothing is noted. */
uint16_t svs__note_keep(svs__notes *notes, const svs_world *world, const svs__element *elements,
                        uint32_t count);
void svs__notes_clean_up(svs__notes *notes, const svs_world *world);

static inline const svs__note *svs__note_of(const svs__notes *notes, uint16_t number) {
    return &notes->notes[number - 1];
}

static inline void svs__note_drop(svs__notes *notes, uint16_t number) {
    notes->notes[number - 1].next_free = notes->free;
    notes->free = number;
}

/* Whether the set may be noted (U2). */
static inline bool svs__set_is_lasting(const svs__set *set) {
    return !set->walked && !set->root_count && !set->everything;
}

#endif
