/* The tables of admission, and the parts of them that a holder takes.
 *
 * Cache lines: the fields that are read outside of the lock have their own line: those that never
 * change, and `open`, which changes only in a world with entrants; one for the lock and what it
 * guards; one for the epoch, which idle workers read; one for each entrant. */
#ifndef SVS_SCHED_ADMISSION_TABLE_H
#define SVS_SCHED_ADMISSION_TABLE_H

#include "base/lock.h"
#include "memobj/set.h"

/* A worker that takes and gives back cells without the lock (entrant.h). Its worker writes it. A
 * thread that excludes entrants reads `inside`, and takes `holds` over. */
typedef struct svs__entrant {
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) inside;
    _Atomic(uint32_t) holds; /* holds taken inside less holds released inside (sched.V4) */
} svs__entrant;

/* The admitted sets of one holder: a running instance, or the instances of a stage. */
typedef struct svs__hold {
    svs__element *elements;
    uint32_t count, capacity;
    uint64_t *signature[2]; /* signatures by mode; NULL until the first dense set */
    bool dense;
    bool lease;            /* sched.L1 */
    svs__entrant *entrant; /* progressive: its worker's; NULL: the hold needs the lock */
} svs__hold;

/* The first conflict of a set that was refused. */
typedef enum svs__met {
    SVS__MET_CELL,     /* an element conflicts with an element */
    SVS__MET_BIT,      /* a signature conflicts with a signature or an element */
    SVS__MET_ANYTHING, /* a set of everything conflicts with any holder */
    SVS__MET_RESERVED, /* the set conflicts with a reservation */
    SVS__MET_CHANGE,   /* no conflict: the set had changed when it was confirmed */
    SVS__MET_LEASE     /* the set conflicts with the lease of a domain */
} svs__met;

typedef struct svs__conflict {
    uint32_t key; /* the key; its top bits are the cell, or the bit */
    uint32_t mode;
    svs__met met;
    bool single; /* the set is this one element, and stays so */
} svs__conflict;

/* Counts of the held elements of a cell. Readers are counted from bit 1 on, writers and fresh
 * objects from bit 32 on. Bit 0 is set when the cell has refused an element (sched.V5). The counts
 * change under the lock, which excludes entrants, or by a read-modify-write of an entrant. */
typedef struct svs__cell {
    _Atomic(uint64_t) held;
} svs__cell;

#define SVS__CELL_AWAITED UINT64_C(1)
#define SVS__CELL_READER UINT64_C(2)
#define SVS__CELL_WRITER (UINT64_C(1) << 32)

/* A domain's reservation for one of its records: in force, or in the queue (sched.A7). */
typedef struct svs__reservation {
    const void *reserver; /* the one of svs__admission_try() */
    struct svs__reservation *next;
    bool in_line;
} svs__reservation;

typedef struct svs__admission {
    /* Set when it is made; what they point to is guarded by the lock. */
    svs_world *world;
    svs__cell *cells;
    uint32_t cell_shift;       /* the world's */
    uint32_t *bit_elements[2]; /* held elements of each bit, counted, by mode */
    uint64_t *summary[2];      /* bits of the above that are not 0 */
    uint64_t *signature[2];    /* held signatures, by mode */
    uint32_t *bit_holds[2];    /* holds with the bit in their signature, counted, by mode */
    uint64_t *reserved[2];     /* sched.A5: the bits that `reserver` has, by mode */
    svs__entrant *entrants;    /* entrants by worker */
    uint32_t entrant_count;
    _Atomic(uint32_t) entered; /* 1 from the first entrant on; changes under the lock */
    _Atomic(uint32_t) open;    /* sched.V1: entrants may change cells */
    _Alignas(SVS__CACHE_LINE) svs__lock lock;
    uint32_t holds;         /* holds that are not empty, and fresh objects; see sched.V4 */
    uint32_t signatures;    /* holds with a signature */
    bool counts_bits;       /* elements are counted by bit */
    bool cells_decide;      /* between begin and end: an element needs no more than its cell */
    bool all_awaited;       /* sched.V5: the next release raises the epoch, whatever it releases */
    svs__reservation *line; /* sched.A7 */
    /* the owner of the first reservation in the line, once it is in force */
    const void *reserver;
    uint32_t blocked;       /* domains that wait for a release */
    const svs__hold *lease; /* sched.L1; NULL: there is none */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) epoch;
    _Atomic(uint64_t) lease_wanted; /* sched.L2: since when; 0: it is not */
} svs__admission;

/* One element of a mode, in the count of a cell. */
static inline uint64_t svs__cell_unit(uint32_t mode) {
    static const uint64_t units[2] = {
        [SVS_MODE_READ] = SVS__CELL_READER, [SVS_MODE_WRITE] = SVS__CELL_WRITER};
    return units[mode];
}

/* Whether the held elements of a cell conflict with an element of this mode. */
static inline bool svs__cell_conflicts(uint64_t held, uint32_t mode) {
    static const uint64_t beside[2] = {
        [SVS_MODE_READ] = SVS__CELL_WRITER - 1, [SVS_MODE_WRITE] = SVS__CELL_AWAITED};
    return held > beside[mode];
}

/* Is the cell of an element taken in a conflicting mode? Called under the lock. */
static inline bool svs__admission_cell_is_taken(const svs__admission *a, svs__element e) {
    /* relaxed: the lock (sched.V1). */
    return svs__cell_conflicts(svs__load_relaxed(&a->cells[e.key >> a->cell_shift].held), e.mode);
}

/* Called under the lock: counts an element without a comparison; the element may conflict. */
static inline void svs__cell_add(svs__cell *cell, uint64_t unit) {
    /* relaxed, and no read-modify-write: the lock, and entrants are excluded (sched.V1). */
    svs__store_relaxed(&cell->held, svs__load_relaxed(&cell->held) + unit);
}

static inline bool svs__hold_is_empty(const svs__hold *hold) {
    return !hold->count && !hold->dense && !hold->lease;
}

#endif
