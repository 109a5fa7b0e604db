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
 * Two workers run the window. Worker X has the domain's lock and makes the window. It opens the
 * first stage, and claims transfer 1; worker Y claims transfer 3. Nothing is compared any more: a
 * claim is one atomic operation. The worker that ends the last transfer of the stage, say Y, owns
 * the stage for a moment, and opens the next one: X claims 2, Y claims 4, and so on. In the last
 * stage one worker claims 6, and the other one searches elsewhere for work. Transfer 8 leads the
 * next window, where the first candidate always gets colour 0 (tests/unit/sched/windows.c).
 *
 * A window takes about 2,000 candidates: first those that the last window has left over, then
 * arrivals. If nothing else is held in the world, its stages run under a lease of admission
 * (sched.L1), and nothing is taken or released for each instance. Two kinds take another way:
 *   - a candidate that is not *plain* waits among the deferred instances, for a stage of the kind
 *     that the staged algorithm makes. A candidate is plain if its set lasts (deferred/waiting.h)
 *     and has at most SVS__KEYED_ELEMENTS elements: such a set stays the same until an object that
 *     it names is freed. A candidate is *walked* if its set has at most as many elements, some of
 *     which a traversal of links has found: such a set stays the same until a link is assigned;
 *   - *light* instances, which one worker runs faster than all workers together (window/light.h),
 *     stay with one worker. It may run them one after another in a *serial run*, without colours.
 *
 * Making (window/make.c, window/keys.h):
 *   sched.W1  a word of `table` stands for the elements of one cell, or of a few adjacent ones. It
 *       has the colours of readers and of writers in the window that its upper 16 bits number. No
 *       colour has a writer and another instance in one word, so that a stage is free of conflicts
 *       (thesis 6.1.2) (not asserted: the colour is chosen out of those that the words leave);
 *   sched.W2  one maker at a time makes a window. It holds the domain's lock, as a maker of stages
 *       does (sched.P1). It may do so while stages of the previous window run, but not while a
 *       stage of the staged kind runs;
 *   sched.W5  a window is made in the place of the second last one, which has ended: `next` was
 *       NULL, so the owner had already opened the last one;
 *   sched.W13 while all candidates of a window only read, they have the lowest colour, and `read`
 *       lists their words, which are written only before another candidate gets a colour;
 *   sched.W14 a window with walked candidates is made while no stage is open, so that its colours
 *       are a function of the links that the bodies before it have left (sched.W9). A window that
 *       does not expect walked candidates ends before the first one, which leads the next window.
 *       If a link was assigned since the window was made, its stages are made again when they open,
 *       under the lease: the links of each instance are traversed once more, and an instance that
 *       conflicts with an earlier one of the stage returns. What an instance has traversed belongs
 *       to it from then on, and no other instance writes it. So its elements stay valid until it
 *       has run (memobj.E1). Without the lease, and in order, walked candidates wait among the
 *       deferred. Items in a serial run need no window, not even walked ones (sched.W10). All
 *       workers traverse, in chunks (sched.W15 in window/chunks.h); one worker assigns the colours.
 *
 * Opening, running and ending (window/run.c):
 *   sched.W3  while `stage.left` is not 0, at most one worker owns the stage: the maker, the worker
 *       that raised it from 0 to 1 by a compare-exchange, or the last one to leave it. Only the
 *       owner opens stages, ends windows, and changes `open`, so that two windows are never open at
 *       once;
 *   sched.W4  `next` is a window that was made and not opened yet. It is opened by the owner that
 *       finds it when the previous window has ended, or by its maker in the next step. An owner
 *       that leaves the stage free notifies the workers, and each worker reads `next` before it
 *       sleeps, so no window is lost (not asserted: a bound on waiting times;
 *       tests/explore/scenarios/windows.c);
 *   sched.W6  when a stage opens, the elements of its instances are the same as when its window was
 *       made, if no object was freed since (`freed`). Otherwise the instances that name a freed
 *       object return (not asserted: a look at each instance is the check);
 *   sched.W7  without the lease, the elements of a stage are admitted when it opens and released
 *       when it ends. An instance that is refused returns to the domain, to lead a window again or,
 *       after SVS__WINDOW_TRIES refusals, to wait among the deferred, where it may reserve
 *       (sched.A5) (not asserted: admission is the check);
 *   sched.W12 a stage that runs under the lease while the lease is overdue (sched.L2) is cut short:
 *       a worker gives back the instances that it has claimed and not begun, and claims and gives
 *       back the unclaimed rest. It marks them in `cut` while it counts in `left`, so that the next
 *       owner finds them. They are the next stage, before which the lease is returned.
 *
 * Light instances and serial runs (window/serial.c):
 *   sched.W8  `alone` names a worker only while that worker is in a step of the domain. When it
 *       leaves, it wakes another worker if there is work left (not asserted: the step that sets it
 *       clears it);
 *   sched.W10 a *serial run* is a sequence of items that one worker runs one after another. The
 *       worker owns the stage (sched.W3), and has the lease (sched.L1), so that no other running
 *       instance, of this domain or another, holds anything. A taken item runs only if nothing but
 *       the lease is held; then it names no object that another body has made and not published
 *       (sched.A3). Nothing that an instance accesses can be held by another one, so that no
 *       elements are computed. Each item was checked before: none of its accesses is invalid
 *       (svs__set_look). A check holds until an object is freed, and that of a path only until a
 *       link is assigned: an item with a path is checked directly before it runs. An instance that
 *       keeps its set (sched.A9) is the last one. Serial runs exist only in an iteration in which
 *       items were sent to the domain, so not if all were sent before the run (sched.W9).
 *
 * The whole (window/windowed.c):
 *   sched.W9  if all items were sent before the run, to tasks that open together, and no other hold
 *       is in the world, then the stages are a function of the sequence of items: the tasks become
 *       visible at once (svs__domain_open), a window takes its candidates in order, deferred
 *       instances come before the next window, and no choice depends on the number of workers or on
 *       time. So the result repeats, except with keys of addresses, which vary, and with signatures
 *       (not asserted: about several runs; tests/unit/sched/repeatable.c);
 *   sched.W11 under the algorithm *in order* (`in_order`), two instances that conflict run in the
 *       order in which their items came. A candidate gets a colour above those of all earlier
 *       candidates with which it conflicts. If there is none, it occupies the last colour in its
 *       words, so that later candidates that conflict with it get no colour either. A candidate
 *       that is not plain ends the window: it runs as the only instance of a stage, before the next
 *       window is made. If an instance of a stage is refused, the rest of the window comes after
 *       it. There are no serial runs, no window is made ahead of the open one, and what is left
 *       over keeps this order: items that have returned, were carried over, have no colour, were
 *       not looked at (not asserted: about the order of bodies; tests/unit/sched/repeatable.c).
 *
 * Within the domain, sched.S4 holds because the first candidate that is left over gets the lowest
 * colour of the next window, and the first stage is never carried over. After each window, deferred
 * instances that may run are compared before the next window opens. A set of another domain waits
 * for the lease for a bounded time (sched.L2), or competes as with stages of the staged kind. After
 * the return of a lease was wanted, the next window runs without a lease as well.
 *
 * | operation | caller                        | progress          | order                         |
 * |-----------|-------------------------------|-------------------|-------------------------------|
 * | make      | a worker with the domain lock | as inbox_take     | the lock's                    |
 * | open_next | any worker                    | lock-free         | acq_rel on `left`             |
 * | end       | the last of a stage           | a lock of         | acq_rel on `left`             |
 * |           |                               | admission         |                               |
 *
 * Cache lines: one for `next` and `returned`, which idle workers read; the owner uses the rest. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_WINDOW_H
#define SVS_SCHED_DOMAIN_WINDOW_WINDOW_H

#include "sched/domain/domain.h"
#include "sched/domain/window/light.h"

#if defined(SVS_EXPLORE) /* in the explorer, a few instances make several windows */
#define SVS__WINDOW_MAX 4u
#define SVS__WINDOW_MOST 5u
#define SVS__COLOUR_MAX 4u
#define SVS__WINDOW_AHEAD 1u
#define SVS__COLOURS 2u
#else
#define SVS__WINDOW_MAX 2048u  /* most instances of a window */
#define SVS__WINDOW_MOST 2304u /* most of one that takes all waiting items: no short one follows */
#define SVS__COLOUR_MAX 1024u  /* most instances of one colour, except the first colour */
#define SVS__WINDOW_AHEAD 512u /* least number of candidates for a window while one is open */
#define SVS__COLOURS 24u
#endif
#define SVS__LEFT_MAX 256u   /* number of candidates without a colour that completes a window */
#define SVS__WINDOW_TRIES 4u /* number of refusals until an instance waits among the deferred */

typedef struct svs__window_part { /* the instances of one batch in a window */
    svs__batch *batch;
    uint32_t count; /* number of instances that the window runs, and retires when it ends */
} svs__window_part;

typedef struct svs__window {
    void **items[SVS__COLOURS]; /* items of each colour, in the order of their arrival */
    uint32_t count[SVS__COLOURS];
    uint32_t stages, stage;  /* number of stages; the stage that runs, used only by the owner */
    svs__window_part *parts; /* array with one entry for each batch, whose `part` is the index */
    uint32_t part_count;
    uintptr_t freed;      /* sched.W6: the most recently freed object before the window was made */
    bool walks;           /* a candidate of the window was walked (sched.W14) */
    uint64_t assigned;    /* if `walks`: svs__world_assigned() before the window was made */
    const svs_task *only; /* the task of all instances; NULL: they are of several tasks */
    uint64_t begun_ns;    /* time at which the making began; 0: there is one worker */
    svs__way way;         /* the way in which the first stage was opened */
} svs__window;

typedef struct svs__chunk svs__chunk;

/* A round of chunks (window/chunks.h). */
typedef struct svs__chunks {
    svs__chunk *chunk;    /* array of SVS__CHUNKS chunks, made for the first round */
    uint32_t count, next; /* used only by the owner: number of chunks, and of the next to get */
    uint32_t round;       /* number of the round */
    bool shared;          /* other workers help with the round */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) claim; /* round << 32 | number of claimed chunks */
    _Atomic(uint64_t) width;                           /* round << 32 | number of chunks */
} svs__chunks;

/* The state of a windowed domain. */
typedef struct svs__windows {
    bool in_order; /* sched.W11 */
    svs__window window[2];
    uint32_t turn; /* index of the window that is made next (sched.W5) */
    /* used only by the maker, under the domain's lock: */
    uint64_t *table;                 /* sched.W1 */
    uint32_t table_bits, table_room; /* log2 of the number of words in use, and allocated */
    char *arrays;
    uint32_t number; /* number of the last window, in 16 bits */
    uint16_t *read;  /* sched.W13 */
    void **left[2];  /* items left over: for the next window, and by the one that is being made */
    uint32_t which;  /* index in `left` of the items for the next window */
    /* Workers without the lock may read stale values of these four: */
    _Atomic(uint32_t) rest;         /* number of stages to make before the next window */
    _Atomic(uint32_t) serial_rests; /* number of windows to make before the next serial run */
    _Atomic(uint32_t) walks;        /* sched.W14: 1: the next window takes walked candidates */
    _Atomic(uint32_t) left_count;   /* number of items left over for the next window */
    /* used only by the owner of the stage (sched.W3): */
    svs__window *open;
    bool lease_rests;           /* the next window has no lease: the last one was wanted back */
    _Atomic(uint32_t) unleased; /* number of windows without walked candidates; may be stale */
    bool waits;                 /* `next` waits for a release, counted in admission's `blocked` */
    _Atomic(uint32_t) is_cut;   /* sched.W12: some bits of `cut` are set */
    _Atomic(uint64_t) cut[(SVS__WINDOW_MOST + 63) / 64]; /* instances given back, by place */
    svs__light light[2]; /* sched.W18: of windows; of serial runs and the windows in their place */
    /* estimate of a body's time in nanoseconds; UINT32_MAX: not measured */
    _Atomic(uint32_t) body_ns;
    _Atomic(uint32_t) serial_runs_walk; /* 1: serial runs may run walked items; may be stale */
    _Alignas(SVS__CACHE_LINE) _Atomic(svs__window *) next; /* sched.W4 */
    _Atomic(svs__record *) returned;  /* list of refused instances, the last one first (sched.W7) */
    _Atomic(uint64_t) wait_epoch;     /* at which a lease refused `next`; UINT64_MAX: none did */
    _Atomic(uint32_t) stage_was_last; /* 1: the deferred instances have had their turn */
    _Atomic(uint32_t) runs_window;    /* 0: a stage of the staged kind, under the lock (sched.W2) */
    _Atomic(uint32_t) alone;   /* 1 + index of the worker that runs light stages alone; 0: none */
    _Atomic(uint32_t) maker;   /* 1 + index of the maker of the last window; 0: none */
    _Atomic(uint64_t) made_ns; /* time at which it made the last window */
    svs__chunks chunks;        /* sched.W15 */
} svs__windows;

static inline svs__windows *svs__windows_of(const svs__domain *domain) { return domain->state; }

/* Makes a window of waiting candidates, and publishes it as `next` (sched.W2, sched.W5). The caller
 * holds the domain's lock, and `next` is NULL. @return whether there is a window. */
bool svs__window_make(svs__domain *domain, svs_context *context);

/* Puts all items that are left over or have returned among the deferred ones. The caller holds the
 * domain's lock. */
void svs__window_give_up(svs__domain *domain, svs_context *context);

/* Opens the next window, if there is one that may be opened and no stage is open (sched.W3,
 * sched.W4). @return whether it did. */
bool svs__window_open_next(svs__domain *domain, svs_context *context);

/* Waits a moment for the instances of the stage after a dealt stage. Called when the worker has
 * found nothing else to do. @return whether there are any. */
bool svs__window_comes_soon(svs__domain *domain);

/* Whether there is a window that may be opened. The answer may be stale. */
static inline bool svs__window_may_open(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    return svs__load_acquire(&ws->next) != NULL &&
           svs__load_relaxed(&ws->wait_epoch) != svs__admission_epoch(domain->env->admission);
}

/* [sched.W11] Whether the deferred must run before a window is made or opened. May be stale. */
static inline bool svs__window_waits_for_deferred(const svs__domain *domain) {
    return svs__windows_of(domain)->in_order && svs__load_relaxed(&domain->pending.count) &&
           !svs__env_cancelled(domain->env);
}

/* Whether items are left over or have returned. The answer may be stale. */
static inline bool svs__window_has_left(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    return svs__load_relaxed(&ws->left_count) || svs__load_relaxed(&ws->returned);
}

#endif
