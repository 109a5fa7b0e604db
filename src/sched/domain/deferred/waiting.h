/* The fields of a record that describe its conflict while it waits. */
#ifndef SVS_SCHED_DOMAIN_DEFERRED_WAITING_H
#define SVS_SCHED_DOMAIN_DEFERRED_WAITING_H

#include "sched/admission/table.h"
#include "sched/domain/queue/record.h"

/* How often an instance is refused before it may reserve (sched.S4). */
#define SVS__TRIES_BEFORE_RESERVING 64u

/* `blocked` of a record: svs__met in the low bits, the mode, how often it was found as it was, and
 * whether it is single. */
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

/* The element of its conflict. */
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

/* A look has found its cell held, with no release since a search has met it: that of its own domain
 * most often, or that of another. @return whether it counts as a refusal, as one in 8 does. */
static inline bool svs__record_waits_on(svs__record *record) {
    uint32_t still = (record->blocked + SVS__BLOCKED_STILL_ONE) & SVS__BLOCKED_STILL;
    record->blocked = (uint8_t)((record->blocked & ~SVS__BLOCKED_STILL) | still);
    return !still;
}

/* It met a whole domain, and not some instances: from now on it reserves. */
static inline void svs__record_tire_out(svs__record *record) {
    if (record->tries <= SVS__TRIES_BEFORE_RESERVING)
        record->tries = SVS__TRIES_BEFORE_RESERVING + 1;
}

#endif
