/* The tables of admission, and the parts of them that a holder takes.
 *
 * Cache lines: the fields that never change have their own, so that they are read outside of the
 * lock; one for the lock and what it guards; one for the epoch, which idle workers read. */
#ifndef SVS_SCHED_ADMISSION_TABLE_H
#define SVS_SCHED_ADMISSION_TABLE_H

#include "base/lock.h"
#include "memobj/set.h"

/* The admitted sets of one holder: a running instance, or a stage of them. */
typedef struct svs__hold {
    svs__element *elements;
    uint32_t count, capacity;
    uint64_t *signature[2]; /* by mode; NULL until the first dense set */
    bool dense;
} svs__hold;

/* The first conflict of a set that was refused. */
typedef enum svs__met {
    SVS__MET_CELL,     /* of an element with an element */
    SVS__MET_BIT,      /* of a signature with a signature or an element */
    SVS__MET_ANYTHING, /* of a set of everything with any holder */
    SVS__MET_RESERVED, /* with a reservation */
    SVS__MET_CHANGE    /* none: the set had changed when it was confirmed */
} svs__met;

typedef struct svs__conflict {
    uint32_t key; /* its top bits are the cell, or the bit */
    uint32_t mode;
    svs__met met;
    bool single; /* the set is this one element, and stays so */
} svs__conflict;

/* The counts of the held elements of a cell. */
typedef struct svs__cell {
    uint32_t reads;
    uint32_t claims; /* elements that are written, and fresh objects */
} svs__cell;

/* A domain's claim: it reserves, or will, for one of its records (sched.A7). */
typedef struct svs__claim {
    const void *claimant; /* the one of svs__admission_try() */
    struct svs__claim *next;
    bool in_line;
} svs__claim;

typedef struct svs__admission {
    /* Set when it is made; what they point to is guarded by the lock. */
    svs_world *world;
    svs__cell *cells;
    uint32_t cell_shift;       /* the world's */
    uint32_t *bit_elements[2]; /* held elements of each bit, counted, by mode */
    uint64_t *summary[2];      /* bits of the above that are not 0 */
    uint64_t *signature[2];    /* held signatures, by mode */
    uint32_t *bit_reads;       /* holds with the bit in their read signature, counted */
    uint64_t *reserved[2];     /* sched.A5: the bits that `reserver` has, by mode */
    _Alignas(SVS__CACHE_LINE) svs__lock lock;
    uint32_t holders;     /* holds that are not empty, and fresh objects */
    uint32_t signatures;  /* holds with a signature */
    bool counts_bits;     /* elements are counted by bit */
    bool cells_decide;    /* between begin and end: an element needs no more than its cell */
    svs__claim *line;     /* sched.A7 */
    const void *reserver; /* of the first in the line, once it has reserved */
    uint32_t blocked;     /* domains that wait for a release */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) epoch;
} svs__admission;

/* Whether the held elements of a cell conflict with an element of this mode. Under the lock. */
static inline bool svs__cell_is_taken(const svs__cell *cell, uint32_t mode) {
    return cell->claims || (mode == SVS_MODE_WRITE && cell->reads);
}
static inline bool svs__admission_cell_is_taken(const svs__admission *a, svs__element e) {
    return svs__cell_is_taken(&a->cells[e.key >> a->cell_shift], e.mode);
}

static inline bool svs__hold_is_empty(const svs__hold *hold) {
    return !hold->count && !hold->dense;
}

#endif
