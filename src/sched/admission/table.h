/* The tables of admission, and holds: what a holder has taken from the tables.
 *
 * Cache lines: one for the fields that are read without the lock, which never change, except for
 * `open` in a world with entrants; one for the lock and what it guards; one for the epoch, which
 * idle workers read; one for each entrant. */
#ifndef SVS_SCHED_ADMISSION_TABLE_H
#define SVS_SCHED_ADMISSION_TABLE_H

#include "base/lock.h"
#include "memobj/set.h"

/* A worker that takes and gives back cells without the lock (entrant.h). Its worker writes it. A
 * thread that excludes entrants reads `inside`, and moves `holds` into admission's count. */
typedef struct svs__entrant {
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) inside;
    /* number of holds that its worker took as an entrant, minus those that it released as one
     * (sched.V4) */
    _Atomic(uint32_t) holds;
} svs__entrant;

/* The admitted sets of one holder: a running instance, or the instances of a stage. */
typedef struct svs__hold {
    svs__element *elements;
    uint32_t count, capacity;
    uint64_t *signature[2]; /* signatures by mode; NULL until the first dense set */
    bool dense;
    bool lease; /* sched.L1 */
    /* progressive: the entrant of the hold's worker; NULL: the hold needs the lock */
    svs__entrant *entrant;
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
    /* the key of the conflict; its top bits are the number of the cell, or of the bit */
    uint32_t key;
    uint32_t mode;
    svs__met met;
    bool single; /* the set has only this element, and will not change */
} svs__conflict;

/* Counts of the held elements of a cell: bits 1 to 31 are the number of readers, bits 32 to 63 the
 * number of writers and fresh objects. Bit 0 is set after the cell has refused an element
 * (sched.V5). The counts change under the lock, which excludes entrants, or by a read-modify-write
 * of an entrant. */
typedef struct svs__cell {
    _Atomic(uint64_t) held;
} svs__cell;

#define SVS__CELL_AWAITED UINT64_C(1)
#define SVS__CELL_READER UINT64_C(2)
#define SVS__CELL_WRITER (UINT64_C(1) << 32)

/* A domain's reservation for one of its records: in force, or in the queue (sched.A7). */
typedef struct svs__reservation {
    const void *reserver; /* the argument `reserver` of svs__admission_try() */
    struct svs__reservation *next;
    bool in_line;
} svs__reservation;

typedef struct svs__admission {
    /* These fields are set when the tables are made; the lock guards what they point to. */
    svs_world *world;
    svs__cell *cells;
    uint32_t cell_shift;       /* as in the world */
    uint32_t *bit_elements[2]; /* number of held elements of each bit, by mode */
    uint64_t *summary[2];      /* bits whose count in `bit_elements` is not 0, by mode */
    uint64_t *signature[2];    /* union of the held signatures, by mode */
    uint32_t *bit_holds[2];    /* number of holds with the bit in their signature, by mode */
    uint64_t *reserved[2];     /* sched.A5: the bits that are reserved for `reserver`, by mode */
    svs__entrant *entrants;    /* entrants by worker */
    uint32_t entrant_count;
    _Atomic(uint32_t) entered; /* 1 once a worker was an entrant; changes under the lock */
    _Atomic(uint32_t) open;    /* sched.V1: 1: entrants may change cells */
    _Alignas(SVS__CACHE_LINE) svs__lock lock;
    /* number of holds that are not empty, plus the number of fresh objects (sched.V4) */
    uint32_t holds;
    uint32_t signatures; /* number of holds with a signature */
    bool counts_bits;    /* held elements are counted by bit as well */
    /* between svs__admission_begin() and svs__admission_end(): comparing the cell decides about an
     * element */
    bool cells_decide;
    bool all_awaited;       /* sched.V5: the next release raises the epoch, whatever it releases */
    svs__reservation *line; /* sched.A7 */
    /* the owner of the first reservation in the line, once it is in force */
    const void *reserver;
    uint32_t blocked;       /* number of domains that wait for a release */
    const svs__hold *lease; /* sched.L1; NULL: there is none */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) epoch;
    /* the time since when the return of the lease is wanted; 0: it is not (sched.L2) */
    _Atomic(uint64_t) lease_wanted;
} svs__admission;

/* What one element of a mode adds to the count of a cell. */
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

/* Whether the cell of an element is taken in a conflicting mode. The caller holds the lock. */
static inline bool svs__admission_cell_is_taken(const svs__admission *a, svs__element e) {
    /* relaxed is enough: the lock is held (sched.V1). */
    return svs__cell_conflicts(svs__load_relaxed(&a->cells[e.key >> a->cell_shift].held), e.mode);
}

/* Counts an element without a comparison; the element may conflict. The caller holds the lock. */
static inline void svs__cell_add(svs__cell *cell, uint64_t unit) {
    /* relaxed is enough, and no read-modify-write is needed: the lock is held, and entrants are
     * excluded (sched.V1). */
    svs__store_relaxed(&cell->held, svs__load_relaxed(&cell->held) + unit);
}

static inline bool svs__hold_is_empty(const svs__hold *hold) {
    return !hold->count && !hold->dense && !hold->lease;
}

#endif
