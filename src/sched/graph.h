/* Graphs, tasks and runs, as the scheduler sees them.
 *
 * The life of a task in an iteration: closed (logical dependencies are left) -> open (runnable:
 * refinement has looked at its implicit children; its instances are offered) -> ended (its
 * instances have, and nobody can send to it any more).
 *
 *   T1  a task opens once an iteration, when `parents` is 0;
 *   T2  `outstanding` counts its instances that have not ended, one for each producer that has not
 *       ended, and one while it is closed: it ends when that is 0;
 *   T3  all changes of states of tasks are made under run.lock;
 *   T4  an implicit dependency is there until its parent ends or refinement takes it away, never
 *       both. */
#ifndef SVS_SCHED_GRAPH_H
#define SVS_SCHED_GRAPH_H

#include <svs/graph.h>

#include "memobj/holder.h"
#include "sched/domain.h"

/* A list of tasks. */
typedef struct svs__tasks {
    svs_task **items;
    uint32_t count, capacity;
} svs__tasks;

/* Implicit dependencies, at their parent: a bit for each task that comes later in the order, from
 * the word with the parent's own bit on. */
typedef struct svs__implicit {
    uint64_t *all;  /* NULL: none */
    uint64_t *left; /* of the iteration: what refinement has not removed */
    uint32_t first, words;
} svs__implicit;

/* What is asked of a child of many parents, each time that one of them opens or ends: side by side
 * for all tasks, in their topological order. Of the iteration; T3. */
#define SVS__CHILD_ELEMENTS 3u
typedef struct svs__child {
    uint32_t parents; /* logical dependencies that are left */
    bool open;
    uint8_t set;   /* svs__child_set, of a transform */
    uint8_t count; /* of the elements that its set comes to */
    svs__element elements[SVS__CHILD_ELEMENTS];
} svs__child;
_Static_assert(sizeof(svs__child) == 32, "two in a cache line");

/* What is known of a transform's set: nothing yet; its elements, which last (note.h); that it has
 * to be made each time; that it cannot be made. */
typedef enum svs__child_set {
    SVS__SET_UNKNOWN,
    SVS__SET_LASTS,
    SVS__SET_TO_MAKE,
    SVS__SET_FAILED
} svs__child_set;

struct svs_task {
    svs_graph *graph;
    const svs_task_type *type;
    void *argument;
    uint32_t index; /* in the graph */
    bool itemizer;  /* dynamic, in the thesis' words */
    svs_algorithm algorithm;

    svs__tasks sends; /* consumers */
    svs__tasks producers;
    svs__tasks before; /* explicit: those that start after this one */
    uint32_t position; /* in the topological order */
    svs__implicit implicit;
    uint32_t explicit_parents, implicit_parents; /* of it */

    /* of the iteration; T3 */
    uint32_t parents;           /* while the graph is sorted */
    uint32_t parents_not_ready; /* implicit parents that refinement has not come to (Algorithm 2) */
    bool ended, propagated;
    svs__domain *domain;

    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) outstanding; /* T2 */
    _Atomic(svs_task *) next_in_domain;
    _Atomic(uint32_t) attached; /* to its domain: what it is sent can be taken */
    svs__inbox inbox;
    svs__batch own;      /* a transform's: the batch of its one record */
    svs__record *record; /* a transform's, with its item */
};

typedef struct svs__candidates svs__candidates;

/* The objects that the running instance has made and not handed off (memobj.O4). It is followed and
 * released what stands here, and nothing else: the tag FRESH of an object says only that some body
 * has it.
 *
 *   O5  `places`, while `indexed`, has for each object of the list its place in the list, from 1,
 *       at the first free place from the one that its key names, cyclically, when it was put in;
 *       an index of a list is made by the first search that a look at the newest does not answer.
 *
 * Threads: the body's and those of its asyncs; under the lock while the holder is shared. */
typedef struct svs__fresh {
    svs__lock lock;
    uint32_t count, capacity;
    svs_object **objects;
    uint32_t *places;
    uint32_t place_capacity, mask; /* of the places that are in use: a power of two, less 1 */
    bool indexed;
} svs__fresh;

/* Instances of a stage that a worker has claimed and not run yet, as its turn was over (Q4). They
 * keep the stage from its end. The worker is the next one in its seat, too, so that a participant
 * that leaves leaves them to the thread that takes the seat, as that of their run does. */
typedef struct svs__claimed {
    svs__domain *domain;
    uint32_t begin, count;
} svs__claimed;

/* Most items of one send: their count is added to 32 bits (T2). */
#define SVS__SEND_MAX ((size_t)1 << 31)

/* What a worker knows of the instance that it runs. Asyncs of the body, on other workers, use the
 * holder, `sent` and `fresh`, and read what does not change while the body runs. */
struct svs_context {
    svs__holder holder; /* first: a worker's context points to it (memobj.O3) */
    svs__run *run;
    svs__worker *worker;
    _Atomic(svs_task *) task; /* of the instance that runs; NULL: none does */
    _Atomic(uint64_t) sent;   /* items, by the body and its asyncs */
    svs__lock set_lock; /* progressive: who looks at the set of a running instance, to explain */
    const svs__domain *set_of;   /* under set_lock: whose admitted instance has the set, or NULL */
    svs__set set;                /* of the instance that is being admitted, or runs */
    svs__hold hold;              /* progressive: of the running instance */
    svs__fresh fresh;            /* what the running instance has made and not handed off */
    svs__candidates *candidates; /* staged: the maker's */
    svs__claimed claimed;        /* staged */
    uint32_t steps;              /* so far, of the worker in this run */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) running;
    svs_graph_statistics statistics; /* this worker's part */
    uint64_t explain_at;             /* the deferral that is looked into next */
    svs__set explain[2];             /* made when the first deferral is looked into */
    void *watched;                   /* the instance that runs, as its watcher knows it, or NULL */
    svs__set watched_set;            /* its set; made when the first run is watched */
};

/* What deferred instances: how often, and one of the objects, addresses or indices by which it did.
 * Another run's are none, so that a run need not begin with clearing them all. */
typedef struct svs__blame {
    _Atomic(uint64_t) count; /* number of the run << 32 | how often in it */
    _Atomic(uintptr_t) what;
    _Atomic(uint64_t) index;
} svs__blame;

struct svs__run {
    svs__source source; /* first */
    svs_graph *graph;
    svs__admission *admission;
    uint32_t threads;
    svs_context **contexts; /* by worker; the last two are for refinement, under the lock */
    uint32_t context_count;
    /* one a task, made when the graph is prepared; the last is the gate of transforms */
    svs__domain *domains;
    svs__child *children; /* one a task, by position */
    svs__tasks opened;    /* tasks whose last logical dependency has just gone; under the lock */
    svs__domain *gate;
    _Atomic(svs__domain *) *active; /* those that steps are taken in */
    _Atomic(uint32_t) active_count;
    svs__lock lock;
    uint32_t tasks_left;
    uint32_t number; /* of the graph's runs, from 1 */
    uint32_t iteration, iterations;
    _Atomic(uint32_t) cancelled;
    _Atomic(uint32_t) done;
    svs_report report;
    svs_graph_statistics statistics; /* what is counted under the lock, and sums of earlier runs */
    svs__blame *blame;               /* by bucket */
    void *watched;                   /* the run, as its watcher knows it; NULL: nobody watches */
    bool told;                       /* the line about a narrow run was written */
};

struct svs_graph {
    svs_world *world;
    svs_graph_options options;
    char name[64];
    svs__tasks tasks;
    svs__tasks ordered;                      /* in a topological order */
    svs__tasks independent_a, independent_b; /* pairs that need no implicit dependency */
    bool prepared;
    _Atomic(uint32_t) running;
    svs__run run;
};

static inline svs__child *svs__child_of(const svs_task *task) {
    return &task->graph->run.children[task->position];
}
static inline svs_task *svs__record_task(const svs__record *record) { return record->batch->task; }

/* ---- prepare.c ---- */
/* Orders the tasks, makes the implicit dependencies, the domains and contexts. @return SVS_OK,
 * SVS_E_CYCLE (report filled in), SVS_E_NO_MEMORY. */
svs_status svs__graph_prepare(svs_graph *graph, svs_report *report);
void svs__graph_unprepare(svs_graph *graph);
/* The next child at or behind position *at that depends on the task implicitly and was not removed,
 * or NULL; *at is behind it then. */
static inline svs_task *svs__implicit_next(const svs_task *parent, uint32_t *at) {
    const svs__implicit *i = &parent->implicit;
    for (uint32_t word = *at / 64; word < i->first + i->words; word++) {
        uint64_t bits = i->left[word - i->first];
        if (word == *at / 64) bits = bits >> *at % 64 << *at % 64;
        if (!bits) continue;
        *at = word * 64 + (uint32_t)__builtin_ctzll(bits) + 1;
        return parent->graph->ordered.items[*at - 1];
    }
    return NULL;
}
/* All of them, at the begin of an iteration. */
void svs__implicit_reset(svs_task *parent);
void svs__implicit_clean_up(svs_task *parent);

/* ---- refine.c: Algorithm 2 and strict propagation; under run.lock ---- */
/* The task is runnable: removes implicit dependencies of its children where that is allowed.
 * Children that become runnable so are put to `opened`. */
void svs__refine(svs__run *run, svs_task *parent,
                 svs__tasks *opened); /* `opened` has room for every task */
/* The domain that the task's instances are scheduled in, its own unless a parent's was propagated.
 */
svs__domain *svs__task_domain(svs__run *run, svs_task *task);

/* ---- run.c ---- */
/* `count` of what keeps the task from ending have ended (T2). */
void svs__task_finish(svs_task *task, uint32_t count, svs__worker *worker);
/* The run has failed: nothing more starts. */
void svs__run_fail(svs__run *run, svs_status status, const svs__record *record, const char *text);
static inline bool svs__run_cancelled(svs__run *run) { return svs__load_relaxed(&run->cancelled); }
/* After a release; `blocked`: somebody waits for one. */
static inline void svs__run_wake(svs__run *run, bool blocked) {
    if (blocked) svs__runtime_notify(run->graph->world->runtime, 1);
}

/* ---- instance.c ---- */
typedef enum svs__attempt { SVS__ADMITTED, SVS__BLOCKED, SVS__FAILED } svs__attempt;

/* Tries to admit the record's instance into `hold`. FAILED: its footprint could not be made; the
 * run has failed, and the record must be retired. */
svs__attempt svs__instance_admit(svs_context *context, svs__record *record, svs__hold *hold,
                                 bool own_hold, svs__conflict *conflict);
/* Runs the instances' bodies one after the other, until the run is cancelled or the worker's turn
 * is over (Q4). @return how many are done with: at least one, and all of a cancelled run's. */
uint32_t svs__instances_run(svs_context *context, svs__record *const *records, uint32_t count);
/* Adds the accesses of an item to the footprint of context->set. */
static inline void svs__instance_touch(svs_context *context, const svs_task *task,
                                       const void *item) {
    const svs_task_type *type = task->type;
    if (type->touch) type->touch(&context->set.footprint, item);
    else svs__set_touch_links(&context->set, item, type->links, type->link_count);
}
/* Looks the set of a record up into context->set. */
svs_status svs__instance_expand(svs_context *context, svs_task *task, const void *item);
/* Ends records of one batch that were run or dropped. */
void svs__records_retire_of(svs__batch *batch, uint32_t count, svs__worker *worker);
/* The same for a stage's: nobody else retires records of its domain meanwhile (P3). */
void svs__records_retire(svs__record *const *records, uint32_t count, svs__worker *worker);

bool svs__tasks_add(const svs_world *world, svs__tasks *tasks, svs_task *task);
void svs__tasks_clean_up(const svs_world *world, svs__tasks *tasks);

/* ---- context.c ---- */
svs_status svs__context_new(svs__run *run, svs_context **context);
void svs__context_free(svs_context *context);
static inline svs_context *svs__context_of(svs__run *run, const svs__worker *worker) {
    return run->contexts[worker->index];
}
/* Whether the caller is the body that the context was handed to, or an async of it (memobj.O3). */
bool svs__context_is_own(const svs_context *context);
/* What `call` answers when it was called with a context that is not the caller's own. */
svs_status svs__context_refuse(const svs_context *context, const char *call);
static inline svs_task *svs__context_task(const svs_context *context) {
    return svs__load_relaxed(&((svs_context *)(uintptr_t)context)->task); /* relaxed: its own */
}

/* ---- fresh.c: what the running instance has made and not handed off ---- */
/* holder->fresh */
svs_status svs__context_add_fresh(svs__holder *holder, svs_object *object, const svs_type *type);
/* The instance ends. */
void svs__context_release_fresh(svs_context *context);
void svs__fresh_clean_up(svs__fresh *fresh, const svs_allocator *allocator);

/* ---- staged.c, making.c, deferred.c, arrivals.c: P1 to P4, M1 to M3 ---- */
/* Runs what the context's worker has claimed, as far as its turn goes. */
void svs__stage_run_claimed(svs_context *context);
/* Lets others claim what has entered the stage and was not offered yet (P2). */
void svs__stage_offer(svs__domain *domain);
void svs__stage_offer_early(svs__domain *domain, const svs_context *context);
/* How many more may enter the stage. */
uint32_t svs__stage_room(const svs__domain *domain);
/* M1. @return false when there is no memory. */
bool svs__stage_make_room(svs__domain *domain, uint32_t records, uint32_t elements);
/* The record is admitted, and there is room for it. */
void svs__stage_enter(svs__domain *domain, svs__record *record);
/* Admits the record into the stage. @return whether it is out of the way; else `met` says why, and
 * the context's set is the record's. */
bool svs__stage_consider(svs__domain *domain, svs_context *context, svs__record *record,
                         svs__conflict *met);
void svs__stage_consider_deferred(svs__domain *domain, svs_context *context);
void svs__stage_consider_arrivals(svs__domain *domain, svs_context *context);
svs_status svs__candidates_new(svs_context *context);
void svs__candidates_free(svs_context *context);

/* ---- explain.c ---- */
/* A record was deferred: now and then looks into why. Under the domain's lock. */
void svs__explain(svs_context *context, svs__domain *domain, svs__record *record);
void svs__explain_begin(svs_context *context);
/* Not while instances of the stage may run, whose items the look reads: then it is put off. */
static inline bool svs__explain_is_due(const svs_context *context, const svs__domain *domain) {
    return context->statistics.deferrals >= context->explain_at && !domain->stage.offered;
}
static inline bool svs__explain_is_near(const svs_context *context) {
    return context->explain_at - context->statistics.deferrals < 64 ||
           context->statistics.deferrals >= context->explain_at;
}
/* At the end of a run: one line about what kept it narrow, if it was. */
void svs__explain_narrow(svs__run *run, const svs_graph_statistics *before,
                         const svs_graph_statistics *after);

/* ---- watch.c: a run that is watched (memobj/watch.h) ---- */
void svs__watched_run_begin(svs__run *run); /* sets run->watched if somebody watches */
void svs__watched_run_end(svs__run *run);
void svs__watched_iteration_end(svs__run *run);
/* @return the instance, as its watcher knows it. */
void *svs__watched_begin(svs_context *context, svs__record *record, void *top);
void svs__watched_end(svs_context *context);
void svs__watched_send(const svs_context *context, uint64_t from, size_t count);

/* ---- statistics ---- */
void svs__statistics_sum(const svs_graph *graph, svs_graph_statistics *statistics);
void svs__statistics_add(svs_graph_statistics *into, const svs_graph_statistics *from);

#endif
