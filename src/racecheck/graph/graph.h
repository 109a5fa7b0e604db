/* Runs of graphs in a check: verdicts on what their instances touch (design: race check).
 *
 *     finish                the run, where the thread that waits for it has it
 *     |- instance           its body, with all that it spawns
 *     |  |- step, async ...
 *     |- instance
 *
 * Inside of an instance SPD3 judges; to it, instances of one run are one behind the other. What
 * stands between instances is judged here, by the graph's own order (hooks/object_hooks.h,
 * hooks.K1), and by what they have declared:
 *
 *   undeclared  an instance touches a memory object that is not in its exact set, or writes one
 *               that it has declared to read. Its own objects are its own until it has ended or
 *               handed them off
 *   race        two accesses conflict, nothing orders their instances, and nothing keeps the two
 *               instances apart (racecheck.G4)
 *   order       as above, but admission keeps the two instances apart, so that the scheduler
 *               chooses which is first
 *
 * X is before an instance u if X's task ends before u's opens, or X's iteration is an earlier one;
 * or if X is before what sent u, or in it and before the send (racecheck.G1).
 *
 * What is remembered of a byte are accesses of which none is before another: readers too, and
 * writers of which several are in order. Of instances of one task that touch it alike two are
 * enough (racecheck.G2): the tasks of a graph make no cycle, so that one of the two, at most, is
 * among the senders of any later instance.
 *
 * racecheck.G1. `sends` of an instance grows with each of its sends; an access is before the send
 *     that was number k if it was made when `sends` was k at most, by a step that is not beside the
 *     send's. (not asserted: an argument over histories; property_racecheck_graph)
 * racecheck.G2. Two entries are alike when their tasks, iterations, kinds and declared modes are
 *     the same, and their instances have declared the same set. Of entries that differ in the set
 *     alone SVS__SETS_KEPT are kept: a race with a further one is missed only if the instance that
 *     comes later is kept apart from all of these, and not from that one. (not asserted: as
 *     racecheck.G1)
 * racecheck.G3. Everything is forgotten when nothing else runs and an iteration ends: all is before
 *     what follows. So is the tree, when there is much of it (checker.h, racecheck.X2). (not
 *     asserted: as racecheck.G1; unit_dpst_iterations)
 * racecheck.G4. Two instances are kept apart when both have declared one thing, and one of them to
 *     write it: admission holds whole sets for as long as bodies run (sched/admission/admission.h,
 *     sched.A1, sched.A2). Which bytes they touch meanwhile does not matter, nor whether the thing
 *     has bytes. Two things with keys that collide are also kept apart; this does not count, as it
 *     is chance. (not asserted: a policy about verdicts; unit_dpst_guards)
 *
 *     scheduler ---> watch.h ---> runs, instances, sends            (graph.h)
 *                          |                     |
 *     objects, ranges ---> owners (owner.h)|  declared, order
 *                          |                     v
 *     accesses ----------> pages, entries -----> judge ---> report
 *                          (page.h)     (judge.h) (report.h)
 *
 * Threads: what is told of an instance comes in the thread that runs it; runs and the past change
 * under the checker's lock. */
#ifndef SVS_RACECHECK_GRAPH_GRAPH_H
#define SVS_RACECHECK_GRAPH_GRAPH_H

#include "hooks/graph_hooks.h"
#include "hooks/object_hooks.h"
#include "memobj/set.h"
#include "racecheck/tree/checker.h"

struct svs__entry;
struct svs__owner;

/* A run, also after it has ended. */
typedef struct svs__graph_run {
    svs__watched_run watched;
    svs__check *check;
    const svs_world *world; /* its admission keeps instances apart */
    uint32_t count, row;    /* tasks; words of a row of `after` */
    uint64_t *after;
    const char **names;
    char name[64];
    _Atomic(uint32_t) sequence; /* instances so far */
    bool ended;
    struct svs__graph_run *next;
} svs__graph_run;

/* What an instance has declared, in the order of (what, index). */
typedef struct svs__declared {
    const void *what;
    uint64_t index;
    uint32_t key;  /* of admission */
    uint8_t mode;  /* 1: to read, 2: to write */
    bool is_index; /* of the space `what` */
} svs__declared;

struct svs__instance {
    svs__graph_run *run;
    uint64_t id; /* no other has ever had it */
    uint64_t order;
    uint32_t task, iteration, node;
    _Atomic(uint32_t) sends; /* racecheck.G1 */
    const struct svs__instance *sender;
    uint32_t sent_at, sent_by; /* the sender's count, and step */
    bool everything;
    bool unknown; /* there was no memory for what it has declared */
    uint32_t count;
    uint64_t likeness; /* a hash of `declared`: of equal ones it is the same */
    svs__declared *declared;
    svs__lock set_lock;
    svs__set *set; /* while it runs */
    void *outer;
};

/* ---- begin and end ---- */

/* With the first check, and after the last; under the checker's lock. */
bool svs__graph_init(void);
void svs__graph_clean_up(void);
/* In the child of a fork: what there is is left where it is, with all its locks free. */
void svs__graph_abandon(void);
/* The check of a runtime begins: its objects are known from here on, as far as the library has
 * their memory. */
void svs__graph_begin(svs_runtime *runtime);
/* How many bytes there are for graphs. */
size_t svs__graph_bytes(void);

/* ---- runs (run.c) ---- */

/* racecheck.G3; under the checker's lock. */
void svs__graph_forget(void);
void svs__graph_abandon_runs(void);
static inline svs__watcher *svs__graph_watcher(const svs__graph_run *run) {
    return &run->check->watcher;
}

/* ---- instances and the tree (instance.c) ---- */

/* For as many nodes as the tree may have. @return false when there is no memory. */
bool svs__graph_notes_init(void);
void svs__graph_notes_clean_up(void);
size_t svs__graph_notes_bytes(void);
/* The tree was cut down. */
void svs__graph_notes_reset(void);

/* Which instance a node of the tree belongs to: set by the maker of the node. The instance for as
 * long as it runs; its id, 0: none, as long as the node is there. */
void svs__graph_note(uint32_t node, svs__instance *instance);
svs__instance *svs__graph_noted(uint32_t node);
uint64_t svs__graph_noted_id(uint32_t node);

/* Does the graph say whether a step of the instance and the other step are ordered? */
bool svs__graph_judges(const svs__instance *instance, uint32_t other);

/* ---- senders (sends.c) ---- */

/* The sender of an instance that begins. */
void svs__graph_find_sender(svs__instance *instance);
/* Under the checker's lock (racecheck.G3); with the last check. */
void svs__graph_forget_sends(void);
void svs__graph_clean_up_sends(void);
void svs__graph_abandon_sends(void);

/* ---- what is declared (declared.c) ---- */

/* NULL: it could not be looked up. */
void svs__graph_declare(svs__instance *instance, const svs__set *set);
/* How the instance may touch a byte of the owner's: 0 not at all, 1 read, 2 write. `self` runs
 * it. */
uint8_t svs__graph_mode(const svs__check_thread *self, const svs__instance *instance,
                        const struct svs__owner *owner, uintptr_t address);
/* The first element of `a`, from the number `*from` on, that `b` has declared, too, in modes that
 * conflict; `*from` is behind it then. @return NULL when there is none. */
const svs__declared *svs__graph_conflict(const svs__instance *a, const svs__instance *b,
                                         uint32_t *from);
/* racecheck.G4, of what is declared alone. `self` runs `a`. */
bool svs__graph_are_apart(const svs__check_thread *self, const svs__instance *a,
                          const svs__instance *b);

/* ---- order (order.c) ---- */

/* By the tree; `one` was there before. */
bool svs__graph_are_beside(uint32_t one, uint32_t other);
/* Is what is remembered before all that the instance does from `step` on? */
bool svs__graph_before(const struct svs__entry *e, const svs__instance *instance, uint32_t step);

/* ---- accesses (access.c) ---- */

/* By the instance that the thread runs. @return whether all of it is the running worker's own,
 * where none of the instance's other steps is beside this one. */
bool svs__graph_access(svs__check_thread *self, const svs__touch *touch);
/* These bytes begin a new life (entry.c). */
void svs__graph_clear(uintptr_t address, size_t bytes);

/* ---- reports (report.c) ---- */

/* Both accesses are one instance's. */
void svs__graph_name(const svs__instance *instance, svs_check_race *race);

#endif
