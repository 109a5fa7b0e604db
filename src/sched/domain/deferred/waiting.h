/* The fields of a record that describe its conflict while it waits. */
#ifndef SVS_SCHED_DOMAIN_DEFERRED_WAITING_H
#define SVS_SCHED_DOMAIN_DEFERRED_WAITING_H

#include "base/check.h"
#include "memobj/set.h"
#include "sched/admission/table.h"
#include "sched/domain/queue/record.h"

/* How often an instance is refused before it may reserve (sched.S4). */
#define SVS__TRIES_BEFORE_RESERVING 64u

/* Fields of `blocked` of a record: svs__met in the low bits, the mode, the number of searches that
 * found the record unchanged, and whether it is single. */
#define SVS__BLOCKED_MET 0x07u
#define SVS__BLOCKED_WRITE 0x08u
#define SVS__BLOCKED_STILL 0x70u
#define SVS__BLOCKED_STILL_ONE 0x10u
#define SVS__BLOCKED_SINGLE 0x80u
_Static_assert(SVS__MET_LEASE <= SVS__BLOCKED_MET, "each kind of a conflict has a number below 8");

static inline uint8_t svs__record_blocked(svs__met met, uint32_t mode) {
    return (uint8_t)((uint32_t)met | (mode == SVS_MODE_WRITE ? SVS__BLOCKED_WRITE : 0));
}

static inline bool svs__record_is_single(const svs__record *record) {
    return record->blocked & SVS__BLOCKED_SINGLE;
}

static inline bool svs__record_is_known(const svs__record *record) {
    return svs__record_is_single(record) || record->note;
}

/* The element on which the record conflicts. */
static inline svs__element svs__record_element(const svs__record *record) {
    return (svs__element){record->blocked_key,
                          record->blocked & SVS__BLOCKED_WRITE ? SVS_MODE_WRITE : SVS_MODE_READ};
}

static inline svs__conflict svs__record_conflict(const svs__record *record) {
    svs__element e = svs__record_element(record);
    return (svs__conflict){e.key, e.mode, (svs__met)(record->blocked & SVS__BLOCKED_MET),
                           svs__record_is_single(record)};
}

static inline void svs__record_tire(svs__record *record) {
    if (record->tries < UINT8_MAX) record->tries++;
}

/* Called when a search finds the record's cell still held, and not released since the last search.
 * @return whether the visit counts as a refusal: each eighth visit does. */
static inline bool svs__record_waits_on(svs__record *record) {
    uint32_t still = (record->blocked + SVS__BLOCKED_STILL_ONE) & SVS__BLOCKED_STILL;
    record->blocked = (uint8_t)((record->blocked & ~SVS__BLOCKED_STILL) | still);
    return !still;
}

/* Called when the record conflicts with a whole domain instead of single instances: the record gets
 * a reservation as soon as the domain has none. */
static inline void svs__record_tire_out(svs__record *record) {
    if (record->tries <= SVS__TRIES_BEFORE_RESERVING)
        record->tries = SVS__TRIES_BEFORE_RESERVING + 1;
}

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
 * A record names its note by 16 bits, which bounds the memory of a domain's notes. A record gets no
 * note when there are too many notes, or no memory; its set is then made again.
 *
 * Threads: guarded by the domain. */

#define SVS__NOTE_ELEMENTS 8u
#define SVS__NOTES_MAX UINT16_MAX

typedef struct svs__note {
    uint32_t count;
    uint32_t next_free; /* while the note is free: the number of the next free note */
    svs__element elements[SVS__NOTE_ELEMENTS];
} svs__note;

typedef struct svs__notes {
    svs__note *notes; /* array of the notes; their numbers begin with 1 */
    uint32_t capacity;
    uint32_t made; /* number of notes that were used at least once */
    uint32_t free; /* the first free number; 0: none */
} svs__notes;

/* Stores the elements in a free note. @return the number of the note; 0: there is none. */
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

/* Whether the set stays the same while the instance waits, so that its elements may be kept in a
 * note (sched.U2). */
static inline bool svs__set_is_lasting(const svs__set *set) {
    return !set->walked && !set->root_count && !set->everything;
}

#endif
