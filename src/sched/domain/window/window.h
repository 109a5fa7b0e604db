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
 * Two workers run the window. Worker X makes the window. It opens the first stage, and claims
 * transfer 1; worker Y claims transfer 3. Nothing is compared any more: a
 * claim is one atomic operation. The worker that ends the last transfer of the stage, say Y, owns
 * the stage for a moment, and opens the next one: X claims 2, Y claims 4, and so on. In the last
 * stage one worker claims 6, and the other one makes the next window. Transfer 8 leads a later
 * window, where the first candidate always gets colour 0 (tests/unit/sched/windows.c).
 *
 * A window takes about 2,000 candidates: first those that an earlier window has left over, then
 * arrivals (window/ticket.h). Several workers make windows at once. If nothing else is held in the
 * world, its stages run under a lease of admission (sched.L1), and nothing is taken or released for
 * each instance. Two kinds take another way:
 *   - a candidate that is not *plain* waits among the deferred instances, for a stage of the kind
 *     that the staged algorithm makes. A candidate is plain if its set lasts (deferred/waiting.h)
 *     and has at most SVS__KEYED_ELEMENTS elements: such a set stays the same until an object that
 *     it names is freed. A candidate is *walked* if its set has at most as many elements, some of
 *     which a traversal of links has found: such a set stays the same until a link is assigned;
 *   - *light* instances, which one worker runs faster than all workers together (window/light.h),
 *     stay with one worker. It may run them one after another in a *serial run*, without colours.
 *
 * Making (window/ticket.h, window/make.c, window/colours.c, window/keys.h):
 *   sched.W1  a word of `table` stands for the elements of one cell, or of a few adjacent ones. It
 *       has the colours of readers and of writers in the window that its upper 16 bits number. No
 *       colour has a writer and another instance in one word, so that a stage is free of conflicts
 *       (thesis 6.1.2) (not asserted: the colour is chosen out of those that the words leave);
 *   sched.W5  a window that was made has an entry in `made`, by its number modulo SVS__WINDOWS. The
 *       entry is free when the ticket is taken, because the window before it in this entry was
 *       opened. The memory of a window is free: it has ended (`used`);
 *   sched.W13 while all candidates of a window only read, they have the lowest colour, and `read`
 *       lists their words, which are written only before another candidate gets a colour;
 *   sched.W14 a window with walked candidates is made while no stage is open, so that its colours
 *       are a function of the links that the bodies before it have left (sched.W9). A window that
 *       does not expect walked candidates ends before the first one, which leads a later window.
 *       From the ticket of a walked window to its end, no other window is made. If a link was
 *       assigned since the window was made, its stages are made again when they open, under the
 *       lease: the links of each instance are traversed once more, and an instance that conflicts
 *       with an earlier one of the stage returns. What an instance has traversed belongs to it from
 *       then on, and no other instance writes it. So its elements stay valid until it has run
 *       (memobj.E1). Without the lease, and in order, walked candidates wait among the deferred.
 *       Items in a serial run need no window, not even walked ones (sched.W10). All
 *       workers traverse, in chunks (sched.W15 in window/chunks.h); one worker assigns the colours.
 *
 * Opening, running and ending (window/run.c):
 *   sched.W3  while `stage.left` is not 0, at most one worker owns the stage: the maker, the worker
 *       that raised it from 0 to 1 by a compare-exchange, or the last one to leave it. Only the
 *       owner opens stages, ends windows, and changes `open`, so that two windows are never open at
 *       once;
 *   sched.W4  windows open in the order of their numbers; `opened` is the number of the next one.
 *       It is opened by the owner that finds its entry in `made` when the window before it has
 *       ended, or by its maker in the next step. An owner that leaves the stage free notifies the
 *       workers, and each worker reads the entry before it sleeps, so no window is lost (not
 *       asserted in full: a bound on waiting times; tests/explore/scenarios/windows.c);
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
 *   sched.W8  `alone` names a worker only while that worker is in a step of the domain, and until
 *       it opens a window that is shared. Then it wakes the others. When it leaves, it wakes
 *       another one if there is work left;
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
 *       visible at once (svs__domain_open), a window takes its candidates in order, what is not
 *       plain in a window has its turn directly before it, and no choice depends on the number of
 *       workers or on time. So the result repeats, except with keys of addresses, which vary, and
 *       with signatures (not asserted: about several runs; tests/unit/sched/repeatable.c);
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
 * | make      | a worker with a ticket        | wait-free; quiet  | release on `made`             |
 * |           |                               | ones wait for     |                               |
 * |           |                               | chunks            |                               |
 * | open_next | any worker                    | lock-free         | acq_rel on `left`             |
 * | end       | the last of a stage           | a lock of         | acq_rel on `left`             |
 * |           |                               | admission         |                               |
 *
 * Cache lines: one for `made`, one for `opened` and `returned`, which idle workers read. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_WINDOW_H
#define SVS_SCHED_DOMAIN_WINDOW_WINDOW_H

#include "sched/domain/window/state.h"

/* Makes the window of a ticket (ticket.h), and publishes it (sched.W2, sched.W4). */
void svs__window_make(svs__domain *domain, svs_context *context, svs__window *window);

/* [sched.W16] Defers what is not plain in the window that is opened next, if no stage is open. The
 * caller holds the domain's lock. */
void svs__window_defer_odd(svs__domain *domain, svs_context *context);

/* Opens the next window, if there is one that may be opened and no stage is open (sched.W3,
 * sched.W4). @return whether it did. */
bool svs__window_open_next(svs__domain *domain, svs_context *context);

/* Waits a moment for the instances of the stage after a dealt stage. Called when the worker has
 * found nothing else to do. @return whether there are any. */
bool svs__window_comes_soon(svs__domain *domain, const svs__worker *worker);

/* The number of windows that were made or are being made, and are not opened yet. It may be stale.
 * But if the caller holds the domain's lock and the number is 0, no window is in the making, and
 * the caller sees what all windows have left over. */
static inline uint32_t svs__tickets_ahead(const svs__windows *ws) {
    svs__windows *of = (svs__windows *)(uintptr_t)ws;
    /* acquire: pairs with the release by which a window is opened, after its maker was done. */
    uint32_t opened = svs__load_acquire(&of->opened);
    return svs__load_relaxed(&of->tickets) - opened;
}

/* Whether a window is being made. If not, the caller sees what all windows have left over. */
static inline bool svs__window_is_making(svs__domain *domain) {
    /* acquire: pairs with the release by which a maker ends. */
    return svs__load_acquire(&svs__windows_of(domain)->makers) != 0;
}

/* The entry in `made` of the window that is opened next. The answer may be stale, but not for the
 * owner of the stage. */
static inline uintptr_t svs__window_next(svs__windows *ws) {
    /* relaxed is enough: another worker's number leads to an entry that may be stale. acquire:
     * pairs with the release in svs__window_make(). */
    uint32_t number = svs__load_relaxed(&ws->opened);
    return svs__load_acquire(&ws->made[number % SVS__WINDOWS]);
}

/* Whether there is a window that may be opened. The answer may be stale. */
static inline bool svs__window_may_open(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    uintptr_t next = svs__window_next(ws);
    return next && !(next & SVS__HAS_ODD) &&
           svs__load_relaxed(&ws->wait_epoch) != svs__admission_epoch(domain->env->admission);
}

/* Whether the deferred instances must be considered before the next window is opened. The answer
 * may be stale, but not for the owner of the stage. */
static inline bool svs__window_deferred_come_first(svs__domain *domain) {
    return !svs__load_relaxed(&svs__windows_of(domain)->stage_was_last) &&
           svs__domain_may_unblock(domain);
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
