/* The differential tester: random programs by seed, through the public headers alone, and what the
 * headers promise of them.
 *
 *     differential --seed 7 --verbose      one case again
 *
 * A case draws a runtime, worlds ("lands": a world with all that lives in it), graphs that run at
 * once, and what bodies do. The oracle:
 *
 *   sched.S1  each object and each cell has a sentinel. A body walks what its item declares through
 *       plain links, enters the sentinels of exactly that set with its modes, and leaves them at
 *       its end: a writer meets nothing, a reader meets no writer;
 *   sched.S2  each item that was sent runs exactly once, or its run says that it failed;
 *   sched.S3  explicit orders with their consequences, and one iteration after the other;
 *   sched.S4  a bounded number of instances that conflict with a waiting one begins before it
 *   (scenes.c); and: sums of what was written, the same by a serial elision where bodies commute
 *   (elide.c), each byte of the library's memory given back, metadata that stays bounded, no hang
 *   (memory.c). A run that is large enough had conflicts, and instances at once (sample.c).
 *
 * Sentinels are relaxed, so that they order nothing; the data alongside them are plain. A race
 * check looks at links and data: it ignores sentinels and draws, which are the tester's own, and a
 * worker's sets belong to the worker. */
#ifndef SVS_TESTS_DIFFERENTIAL_H
#define SVS_TESTS_DIFFERENTIAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <svs/svs.h>

#define LANDS_MAX 3u
#define GRAPHS_MAX 4u
#define TASKS_MAX 12u
#define ITERATIONS_MAX 200u
#define WORKERS_MAX 16u
#define ACCESSES_MAX 3u
#define CELLS 64u
#define THINGS_MAX 96u
#define IDS_MAX 65536u
#ifdef SVS_CHECKED
#define SENT_MAX 1000u
#else
#define SENT_MAX 20000u /* by the transforms of a run; in a race check, each access is looked at */
#endif
#define SET_MAX 512u
#define WIDE_MAX 4096u

/* ---- what a case may contain: draw.c ---- */

#define FEATURES(F)                                                                                \
    F(RELINK, relink, "links are set by bodies")                                                   \
    F(FRESH, fresh, "chains that a body makes are sent, published or not")                         \
    F(FOREIGN, foreign, "own objects lead to objects that another running body has made")          \
    F(FREE, free, "bodies replace and free objects")                                               \
    F(LEAVES, leaves, "leaves come and go below lasting parents, and metadata stays bounded")      \
    F(ASYNC, async, "asyncs of bodies link and make objects")                                      \
    F(FAIL, fail, "bodies fail, and the graph runs again")                                         \
    F(OUTSIDE, outside, "other threads make objects beside runs, and free them at once")           \
    F(EACH, each, "svs_for_each() from several threads")                                           \
    F(STARVE, starve, "a writer waits for readers that overlap")                                   \
    F(REFRESH, refresh, "many refreshes, and links and frees between them")                        \
    F(STATISTICS, statistics, "statistics are read beside runs")                                   \
    F(MANY, many, "thousands of items are sent at once, half of the time to relinking bodies")     \
    F(OOM, oom, "allocations fail (only with --oom)")                                              \
    F(LATER, later, "bodies complete later: by other threads, by other bodies, or at once")        \
    F(GENERATED, generated, "items are made when they are taken, and not sent")                    \
    F(SOURCES, sources, "other threads send items while graphs run")                               \
    F(CONFLICTS, conflicts,                                                                        \
      "most instances write a few objects, and all tasks claim independence")                      \
    F(GROWING, growing,                                                                            \
      "what waiting readers reach grows, in worlds with sets or signatures alone")                 \
    F(TRANSFORMS, transforms, "many iterations of transforms that claim to be independent")        \
    F(WINDOWS, windows, "batches of thousands, of items that seldom walk, fill windows")

enum {
#define FEATURE_INDEX(upper, lower, text) F_##upper##_INDEX,
    FEATURES(FEATURE_INDEX) FEATURE_COUNT
};
enum {
#define FEATURE_BIT(upper, lower, text) F_##upper = 1 << F_##upper##_INDEX,
    FEATURES(FEATURE_BIT)
};

/* Features under which bodies change links, or do not all run: there is no elision then. */
#define F_CHANGING (F_RELINK | F_FRESH | F_FOREIGN | F_FREE | F_ASYNC | F_FAIL | F_OOM | F_GROWING)
/* Features that decide of the shape of a case. */
#define F_SHAPING (F_CONFLICTS | F_GROWING | F_TRANSFORMS | F_WINDOWS)

/* Drawn as `least` and what is below `more`. */
typedef struct range {
    uint32_t least, more;
} range;

/* The sizes of what is drawn for a case, and percentages. */
typedef struct shape {
    range nodes, others;               /* of a land; others: things with members, and heads */
    range tasks, batch, iterations;    /* of a graph */
    uint32_t cells;                    /* of each of the three arrays */
    uint32_t kinds;                    /* of draw_kind(): less than 100 leaves out the last */
    uint32_t transforms;               /* of tasks after the first */
    uint32_t flow, order, independent; /* of pairs of tasks */
    uint32_t hot;                      /* of items that write one of the first nodes */
    uint32_t objects;                  /* of accesses; the others are of cells */
    uint32_t plain;                    /* of items that walk nothing */
    uint32_t wide;                     /* of items, if bodies relink: their footprint takes long */
    bool exact;                        /* of GROWING: sets instead of signatures */
} shape;

typedef struct plan {
    uint64_t seed;
    uint32_t features;
    uint32_t threads, policy, spin_us;
    uint32_t lands, graphs, rounds;
    uint32_t oom; /* one in so many allocations of a run fails */
    shape shape;
} plan;

plan draw_plan(uint64_t seed, uint32_t only, bool oom);
svs_world_options draw_world(const plan *p, uint64_t *random);
/* One line: what is in the case. */
void describe_plan(const plan *p, char *text, size_t size);
int feature_index(const char *name);
const char *feature_text(uint32_t index, const char **name);

uint64_t next_random(uint64_t *state);
static inline uint32_t below(uint64_t *state, uint32_t n) {
    return (uint32_t)((next_random(state) >> 32) * n >> 32);
}
static inline bool chance(uint64_t *state, uint32_t percent) { return below(state, 100) < percent; }
static inline uint32_t within(uint64_t *state, range r) { return r.least + below(state, r.more); }

/* ---- objects and cells: land.c ---- */

#define WRITER 0x10000u

typedef struct sentinel {
    _Atomic(uint32_t) inside; /* readers + WRITER * writers */
    uint32_t name;
    uint64_t data, expected; /* written by bodies, and by the elision */
} sentinel;

enum { NODE, LEAF, WIDE, HEAD, KINDS };

/* What each struct of an object begins with. */
typedef struct thing {
    sentinel is;
    uint8_t kind;
    bool lasting; /* there until the end of the case; `data` counts */
} thing;

typedef struct node node;
typedef struct leaf leaf;
typedef struct wide wide;

/* Of the links, `own` and `low` lead to what nothing else leads to. */
struct node {
    thing is;
    node *a, *b;
    wide *up;
    node *own;
    leaf *low;
    svs_object svs;
};
enum { NODE_OWN = 3, NODE_LOW = 4 };

svs_object *header_of(const thing *t);
svs_type *type_of_kind(uint32_t kind);
static inline svs_type *type_of(const thing *t) { return type_of_kind(t->kind); }
thing *link_of(const thing *t, uint32_t link);
/* Of what the link leads to. */
uint8_t target_kind(uint32_t kind, uint32_t link);
svs_status set_link(thing *parent, uint32_t link, const thing *child);

typedef struct land {
    svs_world *world;
    svs_space *space, *vast, *wide; /* of the last, elements are only read */
    thing *things[THINGS_MAX];      /* lasting ones: nodes, then the others */
    uint32_t count, nodes;
    uint64_t vast_at[CELLS];
    sentinel indexed[CELLS], far[CELLS], addressed[CELLS];
    sentinel all; /* of what writes everything; each other instance with a footprint reads it */
    _Atomic(uint32_t) live;
    void *own[THINGS_MAX];
    uint32_t own_count;
} land;

void land_make(land *l, svs_runtime *runtime, uint64_t *random);
/* Between runs: links, frees, refreshes. */
void land_between(land *l, uint64_t *random);
void land_check(land *l);
void land_free(land *l);
thing *make_thing(land *l, uint32_t kind, svs_status *status);
thing *any_thing(const land *l, uint64_t *random, uint32_t kind);
uint64_t land_data(land *l);

/* ---- items: item.c ---- */

typedef struct item {
    svs_access access[ACCESSES_MAX];
    void *root[ACCESSES_MAX]; /* the thing, or the cell's sentinel */
    node *first, *second;     /* of a task without a touch function */
    node *foreign;            /* what another body has made; not in the footprint */
    uint64_t seed;
    uint32_t id;
    uint8_t count, depth, graph, task;
    uint16_t wide; /* so many elements are read that nothing writes: it takes long to work out */
    uint16_t spin;
    uint8_t consume; /* frees the chain that it was sent */
    uint8_t fails;
    uint8_t leads; /* its root to another leaf: of GROWING */
} item;

enum { PLAIN, LARGE, REACHING, GIANT, ALONE, TASK_KINDS };
extern const svs_task_type *const task_types[TASK_KINDS];

typedef struct graph graph;
typedef struct piece piece;
typedef struct stream stream;
typedef struct task {
    graph *graph;
    svs_task *task;
    uint32_t index, kind;
    bool transform;
    uint32_t batch;
    uint32_t consumers[TASKS_MAX], consumer_count;
    uint32_t before, after; /* tasks that must have ended, that must not have begun */
    item item;              /* a transform's */
    _Atomic(uint32_t) outstanding, begun, ended;
} task;

struct graph {
    svs_graph *graph; /* NULL: of svs_for_each() */
    land *land;
    uint32_t index, task_count, iterations;
    uint32_t room; /* for items that transforms send in an iteration */
    task tasks[TASKS_MAX];
    _Atomic(uint32_t) next_id, iteration, open[ITERATIONS_MAX + 1];
    _Atomic(uint32_t) instances, unfinished; /* those that complete later, and have not */
    _Atomic(uint32_t) failed; /* bit s: a body has failed with s; bit 0: a call of one */
    bool failing, done, draining;
    svs_status status;
    uint64_t seed, round;
    uint32_t sent; /* ids of a run from outside */
    void *bytes;   /* of svs_for_each() */
    piece *pieces; /* generated items of the run */
    stream *streams;
    pthread_t sender;       /* for the streams */
    _Atomic(bool) returned; /* the call that runs the graph has returned */
    _Atomic(uint8_t) ran[IDS_MAX];
};

void draw_item(uint64_t *random, const task *to, uint32_t depth, item *i);
/* What an instance sends, but what it makes: up to CHILDREN_MAX at a time, until there are none. */
#define CHILDREN_MAX 32u
typedef struct brood {
    task *from;
    const item *of;
    uint64_t random;
    uint32_t left;
} brood;
brood brood_of(task *from, const item *i, uint32_t iteration);
uint32_t draw_children(brood *b, item *children, task **to);
/* Numbers the items, and counts them as outstanding, until they have run; or, untake, no more. */
void take_ids(task *to, uint32_t iteration, item *items, uint32_t count);
void untake_ids(task *to, uint32_t iteration, uint32_t count);
/* The items as the task's type has them; of pack_items(), the caller frees them. */
void pack_into(char *bytes, const task *to, const item *items, uint32_t count);
void *pack_items(const task *to, const item *items, uint32_t count);

/* ---- the set of an instance: oracle.c ---- */

typedef struct entry {
    sentinel *is;
    thing *what; /* NULL: a cell */
    bool write;
} entry;

typedef struct set {
    uint32_t count;
    entry entries[SET_MAX];
    uint16_t slots[4 * SET_MAX];
} set;

/* A worker's own; the last one is of the thread that elides. */
#define RECENT 8u
typedef struct scratch {
    _Alignas(64) set walked;
    set again;
    set recent[RECENT]; /* of instances: sample.c */
    uint32_t turn;
    uint64_t sampled, conflicting;
} scratch;
extern scratch scratches[WORKERS_MAX + 1];
scratch *own_scratch(void);

void set_clear(set *s);
entry *set_find(set *s, const sentinel *is);
void set_add(set *s, sentinel *is, thing *what, bool write);
/* By brute force, through plain links. */
void set_gather(set *s, land *l, const item *i);
void enter(const entry *e);
void leave(const entry *e);
/* sched.S2 and sched.S3, where an instance begins and ends. */
void instance_begins(task *t, const item *i, uint32_t iteration);
void instance_ends(task *t, uint32_t iteration);

/* ---- what shows that a run could find something: sample.c ---- */

void sample_case(void); /* before a case: its objects are new */
void sample_begins(const set *s);
void sample_ends(void);
/* @return whether instances conflicted, and ran at once, if there were enough of them. */
bool sample_shows(void);

/* ---- bodies: body.c, acts.c, later.c ---- */

typedef struct later later;

typedef struct body {
    svs_context *context;
    task *task;
    land *land;
    const item *item;
    uint32_t iteration;
    uint64_t random;
    set set;
    bool relinked;
    svs_status status;
    later *later; /* NULL: it ends with its body */
} body;

svs_status run_body(svs_context *context, item *i);
/* A status of a call in a body: anything but SVS_OK is wrong, unless memory runs out. */
bool went_well(body *b, svs_status status, const char *call);
void linger(uint64_t *random);
/* Sends one item. */
void send_one(body *b, task *to, item *i);
/* What an object's data is added by an instance. */
uint64_t value_of(const item *i, uint32_t iteration);
/* Adds it to what was entered to write, and reads the rest. */
void touch_entries(const entry *entries, uint32_t count, uint64_t value);
/* Links, objects that are made, sent, published and freed, asyncs. */
void act(body *b);
/* Now and then asks to complete later. Before the body changes a link. */
void later_ask(body *b);
/* In place of its end, if it completes later. @return what the body returns. */
svs_status later_body_ends(body *b, svs_status status);
/* Now and then finishes an instance, if one waits for that. */
void later_finish_another(uint64_t *random);
void later_begin(uint64_t *random);
void later_end(void);

/* ---- runs: graphs.c, generated.c, sources.c, elide.c, scenes.c, beside.c ---- */

typedef struct testcase {
    plan plan;
    svs_runtime *runtime;
    land lands[LANDS_MAX];
    graph *graphs[2 * GRAPHS_MAX];
    uint32_t graph_count;
    _Atomic(uint64_t) written; /* added to data */
    _Atomic(bool) over;        /* the runs of the round have ended */
} testcase;
extern testcase the;
static inline bool has(uint32_t feature) { return (the.plan.features & feature) != 0; }

graph *graph_make(uint32_t index, land *l, uint64_t *random);
/* A graph of one task, for svs_for_each(). */
graph *graph_make_each(uint32_t index, land *l, uint64_t *random);
void graph_free(graph *g);
/* What is sent from outside in this round. @return how many. */
#define OUTSIDE_MAX 3000u
uint32_t draw_outside(graph *g, item *items, task **to);
/* Lets the library make the items in its next run. They are kept until generated_free(). */
void generate_items(graph *g, task *to, const item *items, uint32_t count);
void generated_free(graph *g);
/* Lets a thread send the items alongside the next run, from streams_begin() to streams_end(). */
void stream_items(graph *g, task *to, const item *items, uint32_t count, uint64_t *random);
void streams_begin(graph *g);
void streams_end(graph *g);
void graphs_run(void); /* all at once, each until it has run well */
/* Adds to `expected` what the graph's run has added to `data`. */
void elide(graph *g);
void elide_check(land *l);
void starve(land *l, uint64_t *random);
void leaves(land *l, uint64_t *random);
void beside_begin(uint64_t *random);
void beside_end(void);

/* ---- memory.c ---- */

typedef struct choices {
    uint64_t seed, cases, times, instances;
    double seconds;
    uint32_t only, hang;
    bool oom, verbose;
} choices;
extern choices chosen;

extern const svs_allocator counted;
void memory_fails(uint32_t one_in); /* 0: never */
void memory_check(void);            /* all was given back */
/* Prints what was violated, the case and how to repeat it, and ends the process. */
_Noreturn void violated(const char *what, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void must(svs_status status, const char *call);
void watch_begin(void);
extern _Atomic(uint64_t) progress;
extern _Atomic(uint64_t) instances_total;

#endif
