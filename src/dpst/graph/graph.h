/* Runs of graphs in a check: verdicts on the accesses of their instances.
 *
 *     finish                the run, below the thread that waits for it
 *     |- instance           its body, with all that it spawns
 *     |  |- step, async ...
 *     |- instance
 *
 * SPD3 judges the accesses inside of one instance; it takes the instances of a run as following
 * each other. Accesses of two instances are judged here, by the graph's own order
 * (hooks/object_hooks.h, hooks.K1) and by what the two have declared:
 *
 *   undeclared  an instance touches a memory object that is not in its exact set, or writes one
 *               that it has declared to read. Objects that it makes are its own until it has ended
 *               or handed them off
 *   race        two accesses conflict, no path orders their instances, and nothing keeps the two
 *               instances apart (dpst.G4)
 *   order       as above, but admission keeps the two instances apart, so that the schedule chooses
 *               which is first
 *
 * A touch function is called before admission, so that nothing keeps its accesses apart from those
 * of other instances: they are races, unless a path orders the two, and need no declaration
 * (hooks.K3).
 *
 * X is before an instance u if X's task ends before u's opens, or X's iteration is an earlier one;
 * or if X is before the sender of u, or in it and before the send (dpst.G1).
 *
 * For each byte the check remembers accesses none of which is before another: several readers, and
 * several writers that are ordered. Of instances of one task that touch it alike two are enough
 * (dpst.G2). If both are among the senders of a later instance, one has sent the other, and so
 * either is before that one and was replaced by it, or is before neither of the two.
 *
 * dpst.G1. `sends` of an instance grows with each of its sends. An access is before the k-th
 *     send if it was made when `sends` was k at most, by a step that is not parallel to the send's.
 * dpst.G2. Two entries are alike when their tasks, iterations, kinds and declared modes are
 *     the same, and their instances have declared the same set. Of entries that differ in the set
 *     alone, SVS__SETS_KEPT are kept: a race with a further one is missed only if the later
 *     instance is kept apart from all of these, or comes after them, and not from that one.
 * dpst.G3. All accesses are forgotten when an iteration ends and no other run is in progress: all
 *     of them are before what follows. So is the tree, when it is large (checker.h, dpst.X2).
 * dpst.G4. Two instances are kept apart when both have declared one thing, and one of them to
 *     write it: admission holds whole sets for as long as bodies run (sched.A1 and
 *     sched.A2). The bytes that they touch meanwhile do not matter, nor whether the thing has
 *     bytes. Two things with keys that collide are also kept apart; this is chance, and does not
 *     count.
 * dpst.G5. The sends of an iteration are a forest: an instance has one sender or none, its
 *     `root`. `depth` counts the senders above; `jump` is the sender at a depth that `depth` alone
 *     determines (skew-binary numbers). So the one at any depth is found in O(log depth) steps, and
 *     an instance is a sender of another one if it is the one at its depth.
 * dpst.G6. `lineage` is the set of the tasks of an instance and of all its senders. An instance
 *     shares that of its sender if its task is in it; a chain of self-sends has none at all. So
 *     whether a task has ended before one of them opened takes one operation for 64 tasks, however
 *     many senders there are.
 * dpst.G7. An access for which an entry of the same step stands, of the same `sends` and declared
 *     alike, is not compared with the entries of others again, as long as that entry is after
 *     these: what was before it then is before it now, and it was compared with all of them. An
 *     entry that has raced does not count, so that each line that races is reported. (not asserted:
 *     that would be the comparison; property_racecheck_graph)
 * dpst.G8. `kind` of an instance is a hash of its run, its task and what it has declared, of 64
 *     bits: two instances with the same kind are taken to be the same in all three. So what follows
 *     from these alone is remembered by kinds, and not by instances, which come and go.
 * dpst.G9. An access of an instance's own task to its own stack, while nothing that it has
 *     spawned goes on and no other run does, is not noted: it is ordered with all of the instance,
 *     and no other one knows the address. (not asserted: an argument over all that might access
 *     it; unit_dpst_graph)
 *
 *     scheduler ---> hooks (run.c) ---> runs, instances, sends           (graph.h)
 *                          |                     |
 *     objects, ranges ---> owners (page.h) |  declared, order
 *                          |                     v
 *     accesses ----------> pages, entries -----> judge ---> report       (report.h)
 *
 * Threads: an instance's events come in the thread that runs it; runs and the past change under the
 * checker's lock. */
#ifndef SVS_DPST_GRAPH_GRAPH_H
#define SVS_DPST_GRAPH_GRAPH_H

#include "base/atomic.h"
#include "base/memory.h"
#include "dpst/tree/checker.h"
#include "hooks/graph_hooks.h"
#include "hooks/object_hooks.h"
#include "memobj/set.h"

struct svs__access_entry;
struct svs__owner;

/* Size of a graph's name; longer names are cut off. */
#define SVS__GRAPH_NAME 40

/* A run of a graph; it also exists after its end. */
typedef struct svs__graph_run {
    svs__watched_run watched;
    svs__check *check;
    const svs_world *world; /* the world whose admission keeps instances apart */
    uint32_t count, row;    /* number of tasks; number of words in a row of `after` */
    uint64_t *after;
    const char **names;
    uint32_t *cycles;
    _Atomic(uint32_t) sequence; /* number of instances so far */
    uint32_t number;            /* number among all runs of the process, counted from 1 */
    /* a task's number among those of all runs is this plus its number in the run */
    uint32_t first_group;
    char graph[SVS__GRAPH_NAME];
    bool ended;
    struct svs__graph_run *next;
} svs__graph_run;

/* An element of the declared set of an instance, which is sorted by (what, index). */
typedef struct svs__declared {
    const void *what;
    uint64_t index;
    uint32_t key;  /* key of the element in admission */
    uint8_t mode;  /* declared mode; 1: to read, 2: to write */
    bool is_index; /* the element is an index of the space `what` */
} svs__declared;

struct svs__instance {
    /* The first cache line has what later instances read of this one.
     *
     * `sender` is an instance of the same iteration; NULL: there is none, and `root` and `jump` are
     * the instance itself (dpst.G5). */
    _Alignas(SVS__CACHE_LINE) const struct svs__instance *sender;
    const struct svs__instance *root, *jump;
    svs__graph_run *run;
    uint32_t depth, jump_depth; /* depth of the instance itself, and of `jump` */
    uint32_t sent_at, sent_by;  /* the sender's `sends` and step at the send */
    uint32_t task, iteration;
    _Atomic(uint32_t) sends; /* number of its sends so far (dpst.G1) */
    uint64_t kind;           /* hash of run, task and declared set (dpst.G8) */
    uint64_t id;             /* no other instance has ever had it */
    uint64_t order;
    uint32_t node;
    uint32_t count;
    svs__declared *declared;
    const uint64_t *lineage; /* [run->row]: bits of the tasks; NULL: only its own task (dpst.G6) */
    bool everything;
    bool unknown; /* there was no memory for what it has declared */
    svs__lock set_lock;
    svs__set *set; /* set of admission, while the instance runs */
    bool touching; /* its touch function runs, with the item at [item, item_end) (hooks.K3) */
    uintptr_t item, item_end;
    void *outer;
};

/* ---- begin and end ---- */

/* Called when the first check begins, and after the last one has ended; the caller holds the
 * checker's lock. */
bool svs__graph_init(void);
void svs__graph_clean_up(void);
/* Called in the child of a fork: leaves all memory where it is, and makes all locks free. */
void svs__graph_abandon(void);
/* Called when the check of a runtime begins: records the objects that exist already, if their
 * memory is the library's. */
void svs__graph_begin(svs_runtime *runtime);
/* @return the bytes of memory that are used for graphs. */
size_t svs__graph_bytes(void);

/* ---- runs (run.c) ---- */

/* Forgets the past (dpst.G3). The caller holds the checker's lock. */
void svs__graph_forget(void);
void svs__graph_abandon_runs(void);
static inline svs__watcher *svs__graph_watcher(const svs__graph_run *run) {
    return &run->check->watcher;
}

/* ---- instances and the tree (instance.c) ---- */

/* Makes notes for as many nodes as the tree may have. @return false when there is no memory. */
bool svs__graph_notes_init(void);
void svs__graph_notes_clean_up(void);
size_t svs__graph_notes_bytes(void);
/* Called after the tree was cut down. */
void svs__graph_notes_reset(void);

/* Records, and finds, the instance to which a node of the tree belongs. The thread that has made
 * the node records it. The instance may be used only while it runs; its id (0: none) stays as long
 * as the node. */
void svs__graph_note(uint32_t node, svs__instance *instance);
svs__instance *svs__graph_noted(uint32_t node);

/* Does the graph say whether a step of the instance and the other step are ordered? */
bool svs__graph_judges(const svs__instance *instance, uint32_t other);

/* ---- senders (senders.c) ---- */

/* Finds the sender of an instance that begins, and computes what follows from it (dpst.G5,
 * dpst.G6). */
void svs__graph_find_sender(svs__instance *instance);
/* svs__graph_forget_sends() is called under the checker's lock (dpst.G3),
 * svs__graph_clean_up_sends() after the last check. */
void svs__graph_forget_sends(void);
void svs__graph_clean_up_sends(void);
void svs__graph_abandon_sends(void);

/* ---- what is declared (declared.c) ---- */

/* Records what an instance has declared. @param set NULL: it could not be looked up. */
void svs__graph_declare(svs__instance *instance, const svs__set *set);
/* @return how the instance may touch the byte of `owner` at `address`: 0 not at all, 1 read, 2
 * write. The thread `self` runs the instance. */
uint8_t svs__graph_mode(const svs__check_thread *self, const svs__instance *instance,
                        const struct svs__owner *owner, uintptr_t address);
/* The same for an address that is itself an element of the declared set. */
uint8_t svs__graph_mode_of(const svs__instance *instance, const void *address);
/* @return the first element of `a` whose number is at least `*from` and which `b` has declared,
 * too, in modes that conflict; NULL when there is none. `*from` becomes the number after it. */
const svs__declared *svs__graph_conflict(const svs__instance *a, const svs__instance *b,
                                         uint32_t *from);
/* Are the two kept apart by what they have declared (dpst.G4)? The thread `self` runs `a`. */
bool svs__graph_are_apart(const svs__check_thread *self, const svs__instance *a,
                          const svs__instance *b);

/* @return the memo of what is known of the two instances so far. The thread `self` runs `one`. */
struct svs__two *svs__graph_two(const svs__check_thread *self, const svs__instance *one,
                                const svs__instance *other);

/* ---- order (senders.c) ---- */

/* Are the two steps parallel in the tree? `one` was recorded first. */
bool svs__graph_are_beside(uint32_t one, uint32_t other);
/* Is the remembered access before all that the instance does in `step` and later? The thread `self`
 * runs that step. */
bool svs__graph_before(const svs__check_thread *self, const struct svs__access_entry *e,
                       const svs__instance *instance, uint32_t step);

/* ---- accesses (access.c) ---- */

/* Judges an access by the instance that the thread runs. @return whether all accessed bytes are
 * private to the running worker, and the step is parallel to no other step of the instance. */
bool svs__graph_access(svs__check_thread *self, const svs__touch *touch);
/* Forgets the accesses to these bytes, which begin a new life (page.c). */
void svs__graph_clear(uintptr_t address, size_t bytes);

/* ---- reports (report.c) ---- */

/* Adds the names of the instance to the report of a race between two of its own accesses. */
void svs__graph_name(const svs__instance *instance, svs_check_race *race);

/* ---- svs__object_watcher (hooks/object_hooks.h), each function where its subject is ---- */

/* run.c */
void *svs__graph_run_begins(const svs__watched_graph *graph);
void svs__graph_run_lost(const svs_world *world);
void svs__graph_iteration_ends(void *run);
void svs__graph_run_ends(void *run);

/* instance.c */
void *svs__graph_begins(const svs__watched_instance *told, svs__worker *worker, void *top);
void svs__graph_ends(void *instance, svs__worker *worker);
void svs__graph_touches(void *instance, const void *item, size_t bytes, bool begins);
void svs__graph_sends(void *instance, uint64_t (*order)(uint64_t of, uint64_t number), uint64_t of,
                      uint64_t from, size_t count);

/* object.c, owner.c */
void svs__graph_made(const svs_object *object);
void svs__graph_published(const svs_object *object);
void svs__graph_gone(const svs_object *object);
void svs__graph_links(const void *field, const void *pc);
void svs__graph_world_gone(const svs_world *world);

/* ---- memory (memory.c): instances, what they have declared, entries ----
 *
 * All of it is released at once, when the past is forgotten (dpst.G3) and no other thread uses it.
 * Any thread may allocate; one lock guards that. */

/* @return memory with arbitrary contents, aligned to 16 bytes, or to a cache line if it has 64
 * bytes or more; NULL: there is none. */
void *svs__graph_allocate(size_t bytes);

/* Number of times that all was released, plus 1: what was allocated at a smaller age is gone. */
extern _Atomic(uint32_t) svs__graph_age;

/* svs__graph_memory_forget() releases all of it, svs__graph_memory_clean_up() also what is kept for
 * reuse. */
void svs__graph_memory_forget(void);
void svs__graph_memory_clean_up(void);
/* Called in the child of a fork, as svs__graph_abandon(). */
void svs__graph_memory_abandon(void);

/* @return the bytes of all of it, including what is kept for reuse. */
size_t svs__graph_memory_bytes(void);

/* An allocator by malloc and free, of which the check is not told: otherwise it would acquire locks
 * that are held already. */
extern const svs_allocator svs__graph_allocator;

#endif
