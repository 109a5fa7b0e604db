/* Admission: the only gate (design: Scheduling). Every instance is admitted at its start, by its
 * then-current set, against all that run in its world.
 *
 * Elements are compared in cells (2^cell_bits of them: the top bits of a key); signatures in bits
 * (N). A bit is a range of cells, so each side keeps a summary for the other: the elements that are
 * held, by bit, and the signatures that are held. Elements are counted by bit from the first
 * signature on: a world without any, as most are, looks at one cell an element and no more.
 *
 *   A1  two sets that are admitted at once do not conflict: no cell or bit is written by one and
 *       read or written by the other. S1 follows, by memobj.E1 (set.h);
 *   A2  what was admitted is held until svs__admission_release, whole;
 *   A3  a fresh object's cell may be held by several: nobody else knows the object, so only a
 *       collision can be met;
 *   A4  `epoch` grows with each release, after the cells are free: who failed at an epoch tries
 *       again when it has changed;
 *   A5  while bits are reserved, nothing that conflicts with them is admitted, but on behalf of the
 *       claim that reserved them: a record, or the hold of a stage, which is given back whole
 *       before the record that waits is looked at again, first. So a stage is no narrower for an
 *       instance that could not be in it anyway;
 *   A6  a set that is admitted, when nothing was released since before it was made, is what it was
 *       then, and memobj.E1 needs no second look: an instance that changed a link still holds
 *       its parent, and everything that was walked is in the set (memobj.E2), so the two would have
 *       met;
 *   A7  claims stand in a line, one for each domain at most, and the first of them alone reserves.
 *       A claim leaves the line when its record was admitted or dropped;
 *   A8  what a claim reserves only grows: each time that its record is refused, the set that the
 *       record has by then is added. That is at most 2 N times news, N being the bits of a
 *       signature.
 *
 * S4, a runnable instance runs in the end. Nothing waits while it holds: a record that waits holds
 * nothing, a claim reserves bits and holds no cell, and neither a body nor a stage that has begun
 * waits for admission. So each hold is released in the end, for any reserver, in whatever
 * world or domain: there is no cycle to wait in. Each release lets the domains look again (A4), and
 * each look at a bucket refuses its first record or lets it in, under every algorithm and at the
 * gate. After SVS__TRIES_BEFORE_RESERVING refusals a record claims, when its domain has no claim.
 *   - Before it: instances of its own domain, which are finite in an iteration.
 *   - Before its claim is the first: one claim of each other domain of the world (A7).
 *   - Then only what was admitted before the bits that it shares with the reserver were reserved,
 *     and, of a staged domain, the domain's own stages while such a foreign instance runs. The set
 *     of the record changes only by instances that hold a part of it: those that are foreign were
 *     admitted before that part was reserved, and are finite; each change by them or by an own
 *     stage that leads outside of what is reserved makes that grow, which ends (A8). The next try
 *     after the last of them has ended succeeds.
 *
 * | operation           | caller     | progress          | order                             |
 * |---------------------|------------|-------------------|-----------------------------------|
 * | try, release, fresh | any worker | a short spin lock | the lock's: a body sees what the  |
 * |                     |            |                   | last conflicting holder wrote     |
 * | await               | any worker | a short spin lock | the lock's                        |
 * | epoch               | any worker | wait-free         | acquire; pairs with `release`     |
 *
 * Cache lines: what never changes has its own, so that it can be read outside of the lock; one for
 * the lock and what it guards; one for the epoch, which idle workers read. */
#ifndef SVS_SCHED_ADMISSION_H
#define SVS_SCHED_ADMISSION_H

#include "base/lock.h"
#include "memobj/set.h"

/* What one holder (a running instance, or a stage of them) has been admitted with. */
typedef struct svs__hold {
    svs__element *elements;
    uint32_t count, capacity;
    uint64_t *signature[2]; /* by mode; NULL until the first dense set */
    bool dense;
} svs__hold;

/* Why a set was not admitted: what it met first. */
typedef enum svs__met {
    SVS__MET_CELL,     /* an element another element */
    SVS__MET_BIT,      /* with a signature on either side */
    SVS__MET_ANYTHING, /* a set of everything any holder */
    SVS__MET_RESERVED, /* a reservation */
    SVS__MET_CHANGE    /* nothing any more: the set had changed when it was confirmed */
} svs__met;

typedef struct svs__conflict {
    uint32_t key; /* its top bits are the cell, or the bit */
    uint32_t mode;
    svs__met met;
    bool single; /* the set is this one element, and stays so: to try again needs no more */
} svs__conflict;

/* What is held of a cell. */
typedef struct svs__cell {
    uint32_t reads;
    uint32_t claims; /* elements that are written, and fresh objects */
} svs__cell;

/* The wish of a domain to reserve for one of its records (A7). */
typedef struct svs__claim {
    const void *claimant; /* what svs__admission_try() receives for it */
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
    uint64_t *reserved[2];     /* A5: the bits that `reserver` has, by mode */
    _Alignas(SVS__CACHE_LINE) svs__lock lock;
    uint32_t holders;     /* holds that are not empty, and fresh objects */
    uint32_t signatures;  /* holds with a signature */
    bool counts_bits;     /* elements are counted by bit */
    bool cells_decide;    /* between begin and end: an element needs no more than its cell */
    svs__claim *line;     /* A7 */
    const void *reserver; /* of the first in the line, once it has reserved */
    uint32_t blocked;     /* domains that wait for a release */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) epoch;
} svs__admission;

/* The world's, made on first use. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__admission_of(svs_world *world, svs__admission **admission);

/* Makes room in `hold` for what `set` may add, so that the try itself cannot fail for want of
 * memory. @return SVS_OK, SVS_E_NO_MEMORY, or SVS_E_LIMIT: more than 2^32 elements in one hold. */
svs_status svs__hold_reserve(svs__hold *hold, const svs__set *set);
svs_status svs__hold_make_room(svs__hold *hold, const svs_world *world, uint32_t elements);
void svs__hold_clean_up(svs__hold *hold, svs_world *world);

/* Fetches the cells of a set that is about to be tried, so that nobody waits for memory with the
 * lock held: the last who held a cell was, as often as not, another worker. */
void svs__admission_fetch(const svs__admission *a, const svs__set *set);

/* Admits the set into the hold, whole or not at all. `who` is what svs__admission_reserve() was
 * given. `conflict` is set when the answer is no. `*unchanged`: nothing was released since `epoch`,
 * which is of before the set was made (A6). */
bool svs__admission_try(svs__admission *a, svs__hold *hold, const svs__set *set, const void *who,
                        uint64_t epoch, svs__conflict *conflict, bool *unchanged);

/* Whether an element is kept off by what is held of its cell. Under the lock. */
static inline bool svs__cell_is_taken(const svs__cell *cell, uint32_t mode) {
    return cell->claims || (mode == SVS_MODE_WRITE && cell->reads);
}
static inline bool svs__admission_cell_is_taken(const svs__admission *a, svs__element e) {
    return svs__cell_is_taken(&a->cells[e.key >> a->cell_shift], e.mode);
}

/* Between begin and end, under the lock: admits plain elements, one instance after the other, into
 * a hold that has room for them (svs__hold_make_room), and is `who`. */
void svs__admission_begin(svs__admission *a, const svs__hold *hold);
bool svs__admission_try_elements(svs__admission *a, svs__hold *hold, const svs__element *elements,
                                 uint32_t count, const void *who, svs__conflict *conflict);
void svs__admission_end(svs__admission *a, const svs__hold *hold);

/* The same for the commonest instance: one element. Here since nothing else is done as often. */
static inline bool svs__admission_try_element(svs__admission *a, svs__hold *hold, svs__element e,
                                              const void *who) {
    svs__cell *cell = &a->cells[e.key >> a->cell_shift];
    svs__conflict met;
    if (!a->cells_decide) return svs__admission_try_elements(a, hold, &e, 1, who, &met);
    if (cell->claims) return false;
    if (e.mode == SVS_MODE_READ) cell->reads++;
    else if (cell->reads) return false;
    else cell->claims = 1;
    hold->elements[hold->count++] = e;
    return true;
}

/* Takes elements that meet nothing. */
void svs__admission_take(svs__admission *a, svs__hold *hold, const svs__element *elements,
                         uint32_t count);

/* The same for a few elements, which meet something more often than not. */
static inline bool svs__admission_try_few(svs__admission *a, svs__hold *hold,
                                          const svs__element *elements, uint32_t count,
                                          svs__conflict *met) {
    if (!a->cells_decide) return svs__admission_try_elements(a, hold, elements, count, hold, met);
    for (uint32_t i = 0; i < count; i++)
        if (svs__admission_cell_is_taken(a, elements[i])) {
            *met = (svs__conflict){elements[i].key, elements[i].mode, SVS__MET_CELL, false};
            return false;
        }
    svs__admission_take(a, hold, elements, count);
    return true;
}

/* Releases the hold, which is empty then. @return whether a domain waits for a release. */
bool svs__admission_release(svs__admission *a, svs__hold *hold);

/* A fresh object's key joins what its maker holds, and leaves it. `leave` answers as release does.
 */
void svs__admission_fresh(svs__admission *a, uint32_t key);
bool svs__admission_fresh_leave(svs__admission *a, uint32_t key);

/* A record was refused with this set: its claim joins the line, unless it stands there, and
 * reserves if it is the first (A8). Until svs__admission_unreserve(), which answers as release
 * does, the claim does not move.
 * @return whether it is the first. */
bool svs__admission_reserve(svs__admission *a, const svs__set *set, svs__claim *claim);
bool svs__admission_unreserve(svs__admission *a, svs__claim *claim);

/* A domain waits for a release from here on, or does so no more. A release either sees it and says
 * so, or is seen by this worker's next look at the epoch. */
void svs__admission_await(svs__admission *a, bool waits);

/* Whether elements would be admitted now. Racy, too. */
bool svs__admission_may(svs__admission *a, const svs__element *elements, uint32_t count,
                        const void *who, svs__conflict *met);

/* Whether what the conflict met is gone now. Racy: a hint, but for who waits until it is: A4. */
bool svs__admission_is_free(svs__admission *a, const svs__conflict *conflict, const void *who);

/* Whether nothing is held, in every table: so it is when no run is in the world (A2). */
bool svs__admission_is_empty(svs__admission *a);

static inline uint64_t svs__admission_epoch(svs__admission *a) {
    return svs__load_acquire(&a->epoch);
}

#endif
