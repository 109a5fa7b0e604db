/* Windows: the default algorithm of a domain, by first-fit colouring.
 *
 * An example. Eight transfers each write two of the accounts A, B, C and D. They wait in this
 * order, and four colours are free (a window has SVS__COLOURS of them):
 *
 *     transfer   accounts   colours that A, B, C, D have       lowest free colour of both
 *        1        A, B      -      -      -      -             0
 *        2        A, C      0      0      -      -             1
 *        3        C, D      01     0      1      -             0
 *        4        B, D      01     0      01     0             1
 *        5        A, D      01     01     01     01            2
 *        6        A, B      012    01     01     012           3
 *        7        B, C      0123   013    01     012           2
 *        8        A, C      0123   0123   012    012           none
 *
 * The instances of one colour have no account in common, so they may run together. Each colour
 * becomes a *stage*, and the stages run one after the other:
 *
 *     stage of colour 0: 1, 3     1: 2, 4     2: 5, 7     3: 6     left over: 8
 *
 * Two workers run it. Worker X has the domain's lock and makes the window. It opens the first
 * stage, and claims transfer 1; worker Y claims transfer 3. Neither compares anything any more: a
 * claim is one atomic operation. The worker that ends the last transfer of the stage, say Y, owns
 * the stage for a moment, and opens the next one: X claims 2, Y claims 4, and so on. In the last
 * stage one worker claims 6, and the other looks elsewhere for work. Transfer 8 leads the next
 * window, where the first candidate always gets colour 0 (tests/unit/sched/windows.c).
 *
 * A window takes some 2,000 candidates: those that the last window has left over, then arrivals. If
 * nothing else is held in the world, its stages run under a lease of admission (sched.L1), and
 * nothing is taken or released for each instance. Two kinds of instances take another way:
 *   - a candidate that is not *plain* waits among the deferred, for a stage as the staged algorithm
 *     makes them. Plain is a set that lasts (deferred/waiting.h) and has at most
 *     SVS__KEYED_ELEMENTS elements: it stays the same until an object that it names is freed. A
 *     *walked* set has at most as many elements, which a traversal of links found: it stays the
 *     same until a link is assigned;
 *   - *light* instances, which one worker runs faster than all (window/light.h), stay with one,
 *     which may run them one after the other in a *serial run*, without any colour.
 *
 * Making (window/make.c, window/keys.h):
 *   sched.W1  a word of `table` stands for the elements of one cell, or of a few adjacent ones. It
 *       has the colours of readers and of writers in the window that its upper 16 bits number. No
 *       colour has a writer and another instance in one word, so that a stage is free of conflicts
 *       (thesis 6.1.2)
 *       (not asserted: the colour is chosen out of those that the words leave);
 *   sched.W2  one maker at a time makes a window. It holds the domain's lock, as a maker of stages
 *       does (sched.P1). It may work while the stages of the window before run, but not while a
 *       stage of the staged kind does;
 *   sched.W5  a window is made in the place of the one before the last. That one has ended: `next`
 *       was NULL, so its owner had opened the last one;
 *   sched.W13 while all candidates of a window only read, they have the lowest colour, and their
 *       words are not written: `read` names them. They are written before another is placed;
 *   sched.W14 a window with walked candidates is made while no stage is there, so that its colours
 *       are a function of what the bodies before it have left (sched.W9). A window that does not
 *       expect any ends before the first, which leads the next one. If a link was assigned since
 *       the window was made, its stages are made again as they open, under the lease: each instance
 *       is traversed once more, and one that conflicts with an earlier one of the stage returns.
 *       What an instance has traversed is its own from then on, and no other writes it. So its
 *       elements hold until it has run (memobj.E1). Without the lease, and in order, walked
 *       candidates wait among the deferred. No window is made of the items that a serial run runs,
 *       walked ones among them (sched.W10). All workers walk, in chunks of candidates (sched.W15 in
 *       window/chunks.h); only the colours are given by one.
 *
 * Opening, running and ending (window/run.c):
 *   sched.W3  while `stage.left` is not 0, at most one worker owns the stage: the maker, the worker
 *       that raised it from 0 to 1 by a compare-exchange, or the last one to leave it. Only the
 *       owner opens stages, ends windows, and changes `open`, so that two windows are never open at
 *       once;
 *   sched.W4  `next` is a window that is made and not opened. The owner that finds it when its own
 *       window has ended opens it, or the next step of its maker does. An owner that leaves the
 *       stage free notifies the workers, and each reads `next` before it sleeps, so none is lost
 *       (not asserted: a bound on waiting times; tests/explore/scenarios/windows.c);
 *   sched.W6  when a stage opens, its elements are those of the time when its window was made, if
 *       no object was freed since (`freed`). Otherwise those that name what was freed return
 *       (not asserted: a look at each instance is the check);
 *   sched.W7  without the lease, the elements of a stage are admitted when it opens and released
 *       when it ends. An instance that is refused returns to the domain, to lead a window again or,
 *       after SVS__WINDOW_TRIES refusals, to wait among the deferred, where it may reserve
 *       (sched.A5)
 *       (not asserted: admission is the check);
 *   sched.W12 a stage that runs under the lease while the lease is overdue (sched.L2) is cut short:
 *       a worker gives back the instances that it has claimed and not begun, and claims and gives
 *       back the unclaimed rest. It marks them in `cut` while it counts in `left`, so that the next
 *       owner finds the marks. These are the next stage, before which the lease is returned.
 *
 * Light instances and serial runs (window/serial.c):
 *   sched.W8  `alone` names a worker only while that worker is in a step of the domain. When it
 *       leaves, it wakes another for what is left
 *       (not asserted: the step that sets it clears it);
 *   sched.W10 a *serial run* is a sequence of items that one worker runs one after another. The
 *       worker owns the stage (sched.W3), and has the lease (sched.L1), so that no other running
 *       instance, of this domain or another, holds anything. A taken item runs only if nothing but
 *       the lease is held; then it names no object that another body has made and not published
 *       (sched.A3). Nothing that an instance accesses can be held by another one, so that no
 *       elements are computed. Each item was checked before: none of its accesses is invalid
 *       (svs__set_look). A check holds until an object is freed, and that of a path only until a
 *       link is assigned: an item with a path is checked directly before it runs. An instance that
 *       keeps its set (sched.A9) is the last one. A serial run runs no items that were all sent
 *       before the run (sched.W9): some were sent to the domain in this iteration.
 *
 * The whole (window/windowed.c):
 *   sched.W9  if all items were sent before the run, to tasks that open together, and no other hold
 *       is in the world, then the stages are a function of the sequence of items: the tasks become
 *       visible at once (svs__domain_open), a window takes its candidates in their order, the
 *       deferred come before the next window, and no choice depends on the number of workers or on
 *       time. So the result repeats, except with keys of drawn addresses, and with signatures
 *       (not asserted: about several runs; tests/unit/sched/repeatable.c);
 *   sched.W11 under the algorithm *in order* (`in_order`), two instances that conflict run in the
 *       order in which their items came. A candidate gets a colour above those of all before it
 *       that it conflicts with. One without a colour keeps the last colour of its words, so that
 *       later ones that conflict with it get none either. One that is not plain ends the window: it
 *       runs as the only one of a stage, before the next window is made. If one of a stage is
 *       refused, the rest of the window comes after it. There are no serial runs, no window is made
 *       ahead of the open one, and what is left over keeps its order: returned ones first, those
 *       that were carried over, those without a colour, those that were not looked at (not
 *       asserted: about the order of bodies; tests/unit/sched/repeatable.c).
 *
 * Inside of the domain sched.S4 holds: the first candidate that is left over gets the lowest colour
 * of the next window, and the first stage is never carried over. After each window, deferred
 * instances that may run are compared before the next window opens. A set of another domain waits
 * for the lease for a bounded time (sched.L2), or competes as with stages of the staged kind. After
 * a lease was wanted, the next window does without it, too.
 *
 * | operation | caller                        | progress          | order                         |
 * |-----------|-------------------------------|-------------------|-------------------------------|
 * | make      | a worker with the domain lock | as inbox_take     | the lock's                    |
 * | open_next | any worker                    | lock-free         | acq_rel on `left`             |
 * | end       | the last of a stage           | a lock of         | acq_rel on `left`             |
 * |           |                               | admission         |                               |
 *
 * Cache lines: one for `next` and `returned`, which idle workers read; the rest is the owner's. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_WINDOW_H
#define SVS_SCHED_DOMAIN_WINDOW_WINDOW_H

#include "sched/domain/domain.h"
#include "sched/domain/window/light.h"

#if defined(SVS_EXPLORE) /* so that a few instances are several windows */
#define SVS__WINDOW_MAX 4u
#define SVS__WINDOW_MOST 5u
#define SVS__COLOUR_MAX 4u
#define SVS__WINDOW_AHEAD 1u
#define SVS__COLOURS 2u
#else
#define SVS__WINDOW_MAX 2048u  /* instances of a window */
#define SVS__WINDOW_MOST 2304u /* of a window that takes all that waits: no short one follows */
#define SVS__COLOUR_MAX 1024u  /* of one colour, except the first */
#define SVS__WINDOW_AHEAD 512u /* candidates that a window is made of while one is open */
#define SVS__COLOURS 24u
#endif
#define SVS__LEFT_MAX 256u   /* candidates without a colour, at which the window is complete */
#define SVS__WINDOW_TRIES 4u /* refusals of an instance before it waits among the deferred */

typedef struct svs__window_part { /* instances of one batch */
    svs__batch *batch;
    uint32_t count; /* that the window runs, and retires when it ends */
} svs__window_part;

typedef struct svs__window {
    void **items[SVS__COLOURS]; /* of each colour, in the order in which they came */
    uint32_t count[SVS__COLOURS];
    uint32_t stages, stage;  /* stage: that runs, the owner's */
    svs__window_part *parts; /* one for each batch: its `part` */
    uint32_t part_count;
    uintptr_t freed;      /* sched.W6: the last object that had been freed before it was made */
    bool walks;           /* a candidate of it was walked (sched.W14), and, before it was made: */
    uint64_t assigned;    /* svs__world_assigned() */
    const svs_task *only; /* the task of all of them, or NULL */
    uint64_t begun_ns;    /* when it began to be made; 0: there is one worker */
    svs__way way;         /* in which its first stage was opened */
} svs__window;

typedef struct svs__chunk svs__chunk;

/* A round of chunks (window/chunks.h). */
typedef struct svs__chunks {
    svs__chunk *chunk;    /* SVS__CHUNKS of them, made with the first round */
    uint32_t count, next; /* the owner's: how many, and the one that it takes next */
    uint32_t round;       /* its number */
    bool shared;          /* other workers help */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) claim; /* round << 32 | how many are claimed */
    _Atomic(uint64_t) width;                           /* round << 32 | how many there are */
} svs__chunks;

/* The state of a windowed domain. */
typedef struct svs__windows {
    bool in_order; /* sched.W11 */
    svs__window window[2];
    uint32_t turn; /* which of them is made next (sched.W5) */
    /* the maker's, under the domain's lock: */
    uint64_t *table;                 /* sched.W1 */
    uint32_t table_bits, table_room; /* log2 of the words in use, and of those allocated */
    char *arrays;
    uint32_t number; /* of the last window, in 16 bits */
    uint16_t *read;  /* sched.W13 */
    void **left[2]; /* items that are left over: for the next window, and by the one that is made */
    uint32_t which; /* of `left`, for the next window */
    _Atomic(uint32_t) rest;         /* stages to make before the next window */
    _Atomic(uint32_t) serial_rests; /* windows to make before the next serial run */
    _Atomic(uint32_t) walks;        /* sched.W14: the next one takes walked candidates */
    _Atomic(uint32_t) left_count;   /* these are hints for other workers */
    /* the owner's of the stage (sched.W3): */
    svs__window *open;
    bool lease_rests;           /* the next window does without the lease, which was wanted */
    _Atomic(uint32_t) unleased; /* windows to make without walked candidates; a hint */
    bool waits;                 /* `next` waits for a release, counted in admission */
    _Atomic(uint32_t) is_cut;   /* sched.W12: some bits of `cut` are set */
    _Atomic(uint64_t) cut[(SVS__WINDOW_MOST + 63) / 64]; /* by place in the stage */
    svs__light light[2]; /* sched.W18: of windows, and of serial runs with what is in their place */
    /* body times, of the worker that runs alone */
    _Atomic(uint32_t) body_ns;
    _Atomic(uint32_t) serial_runs_walk; /* serial runs may run them, and they are walked; a hint */
    _Alignas(SVS__CACHE_LINE) _Atomic(svs__window *) next; /* sched.W4 */
    _Atomic(svs__record *) returned; /* sched.W7, linked: in the order in which they were refused */
    _Atomic(uint64_t) wait_epoch;    /* when `next` met another domain's lease; UINT64_MAX: none */
    _Atomic(uint32_t) stage_was_last; /* the deferred have had their turn */
    _Atomic(uint32_t) runs_window;    /* 0: the stage was made as one, under the lock (sched.W2) */
    _Atomic(uint32_t) alone;          /* 1 + the worker that runs light stages by itself; 0: none */
    _Atomic(uint32_t) maker;          /* the worker that has made the last window, and when */
    _Atomic(uint64_t) made_ns;
    svs__chunks chunks; /* sched.W15 */
} svs__windows;

static inline svs__windows *svs__windows_of(const svs__domain *domain) { return domain->state; }

/* Makes a window of what waits, and leaves it as `next` (sched.W2, sched.W5). @return whether there
 * is one. Under the domain's lock, with `next` NULL. */
bool svs__window_make(svs__domain *domain, svs_context *context);

/* All that is left over or was returned waits among the deferred from here on. Under the domain's
 * lock. */
void svs__window_give_up(svs__domain *domain, svs_context *context);

/* Opens the next window, if there is one that may be opened and no stage is there (sched.W3,
 * sched.W4). @return whether it did. */
bool svs__window_open_next(svs__domain *domain, svs_context *context);

/* Waits a moment for instances that are offered after the dealt stage that runs: the worker has
 * found nothing else to do. @return whether there are any. */
bool svs__window_comes_soon(svs__domain *domain);

/* Whether there is one. Racy. */
static inline bool svs__window_may_open(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    return svs__load_acquire(&ws->next) != NULL &&
           svs__load_relaxed(&ws->wait_epoch) != svs__admission_epoch(domain->env->admission);
}

/* [sched.W11] Whether no window is made or opened before the deferred have run. Racy. */
static inline bool svs__window_waits_for_deferred(const svs__domain *domain) {
    return svs__windows_of(domain)->in_order && svs__load_relaxed(&domain->pending.count) &&
           !svs__env_cancelled(domain->env);
}

/* Whether something is left over or was returned. Racy. */
static inline bool svs__window_has_left(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    return svs__load_relaxed(&ws->left_count) || svs__load_relaxed(&ws->returned);
}

#endif
