/* Every macro of the face, compiled as C11 and as C++17, then run: a program sees nothing but the
 * public headers. */
#include <stdio.h>
#include <svs/svs.h>
#ifdef __cplusplus
#define CAST(T, value) static_cast<T>(value)
#else
#define CAST(T, value) ((T)(value))
#endif

typedef struct cell cell;
typedef struct citizen {
    int health;
    struct citizen *next;
    cell *at;
    svs_object svs;
} citizen;
struct cell {
    svs_object svs;
    citizen *first;
};
SVS_TYPE(citizen, svs, next, at)
SVS_TYPE(cell, svs, first)

/* A type without links, with a header in an unusual place and of an unusual name. */
typedef struct particle {
    float x;
    svs_object head;
} particle;
SVS_TYPE(particle, head)

/* Members: with links of its own, and without. */
typedef struct pair {
    svs_object svs;
    cell inner;
    citizen *chosen;
} pair;
SVS_MEMBERS(pair, {"inner", offsetof(pair, inner), &cell_type})
SVS_TYPE_MEMBERS(pair, svs, chosen)

typedef struct box {
    particle inner;
    svs_object head;
} box;
SVS_MEMBERS(box, {"inner", offsetof(box, inner), &particle_type})
SVS_TYPE_MEMBERS(box, head)

/* The largest number of links that one type may have. */
typedef struct hub {
    svs_object svs;
    struct hub *a, *b, *c, *d, *e, *f, *g, *h, *i, *j, *k, *l, *m;
} hub;
SVS_TYPE(hub, svs, a, b, c, d, e, f, g, h, i, j, k, l, m)

/* A link of another header name, for svs_link_in. */
typedef struct ring {
    svs_object head;
    struct ring *next;
} ring;
SVS_TYPE(ring, head, next)

/* Shared by several files: declared as in a header file, defined once. */
typedef struct lamp {
    svs_object svs;
    struct lamp *next;
    int lit;
} lamp;
SVS_TYPE_DECLARE(lamp)
SVS_TYPE_DEFINE(lamp, svs, next)
typedef struct post {
    lamp inner;
    svs_object head;
} post;
SVS_TYPE_DECLARE(post)
SVS_MEMBERS(post, {"inner", offsetof(post, inner), &lamp_type})
SVS_TYPE_DEFINE_MEMBERS(post, head)

/* A body that sends to another task of its own kind: declared before the body. */
typedef struct lighting {
    lamp *at;
    svs_task *next;
} lighting;
SVS_TASK_DECLARE(lighting)
SVS_TASK_DECLARE(lighting_again, lighting)
static void lighting_touch(svs_footprint *f, const lighting *l) { svs_writes(f, &l->at->svs); }
static svs_status lighting_run(svs_context *x, lighting *l) {
    lighting again;
    l->at->lit++;
    again.at = l->at;
    again.next = NULL;
    return l->next ? lighting_again_send(x, l->next, &again, 1) : SVS_OK;
}
SVS_TASK_DEFINE(lighting, lighting_run, lighting_touch)
SVS_TASK_DEFINE(lighting_again, lighting, lighting_run, lighting_touch)

typedef struct blast {
    citizen *first;
    int damage;
} blast;
static void blast_touch(svs_footprint *f, const blast *b) { svs_writes_reach(f, &b->first->svs); }
static svs_status blast_run(svs_context *x, blast *b) {
    (void)x;
    for (citizen *c = b->first; c; c = c->next)
        if ((c->health -= b->damage) <= 0) {
            svs_status status = svs_link(c, at, NULL);
            if (status) return status;
        }
    return SVS_OK;
}
SVS_TASK(blast, blast_run, blast_touch)
SVS_TASK_REACH(blast_by_links, blast, blast_run, svs, first)

typedef struct tour {
    citizen *walker;
    svs_task *blasts;
    svs_task *by_links;
} tour;
static svs_status tour_run(svs_context *x, tour *t) {
    blast b = {t->walker, 3};
    svs_status status = blast_send(x, t->blasts, &b, 1);
    return status ? status : blast_by_links_send(x, t->by_links, &b, 1);
}
SVS_TASK_ALONE(tour_alone, tour, tour_run)
static void tour_touch(svs_footprint *f, const tour *t) { svs_reads_object(f, &t->walker->svs); }
SVS_TASK(tour_named, tour, tour_run, tour_touch)

/* Types that bear the names a macro might want for its parameters. */
typedef struct item {
    int a, b, c;
} item;
typedef struct count {
    int *sum;
    item amount;
    struct count *unused;
} count;
static void count_touch(svs_footprint *f, const count *c) { svs_writes(f, c->sum); }
static svs_status count_run(svs_context *x, count *c) {
    (void)x;
    *c->sum += c->amount.a + c->amount.b + c->amount.c;
    return SVS_OK;
}
SVS_TASK(count, count_run, count_touch)
typedef struct context {
    svs_task *to;
    int *sum;
} context;
static svs_status context_run(svs_context *x, context *c) {
    count both[2];
    both[0].sum = both[1].sum = c->sum;
    both[0].amount.a = both[1].amount.a = 1;
    both[0].amount.b = both[1].amount.b = 10;
    both[0].amount.c = both[1].amount.c = 100;
    both[0].unused = both[1].unused = NULL;
    return count_send(x, c->to, both, 2);
}
SVS_TASK_ALONE(context, context, context_run)

/* A footprint that is a list: an address, a header, objects, one of them missing, and an index. */
typedef struct mixed {
    int *sum;
    svs_object *head;
    lamp *lit, *none;
    post *read;
    uint32_t place;
    const int *amount;
} mixed;
static svs_space *places;
static svs_status mixed_run(svs_context *x, mixed *m) {
    (void)x;
    m->lit->lit++;
    *m->sum += *m->amount + m->read->inner.lit;
    return SVS_OK;
}
SVS_TASK_SHAPE(mixed, mixed, mixed_run, SVS_WRITES(sum), SVS_WRITES(head), SVS_READS(amount),
               SVS_WRITES_OBJECT(lit, svs), SVS_WRITES_OBJECT(none, svs),
               SVS_READS_OBJECT(read, head), SVS_WRITES_AT(places, place))
SVS_TASK_SHAPE(mixed_reads, mixed, mixed_run, SVS_WRITES_OBJECT(lit, svs), SVS_WRITES(sum),
               SVS_READS(amount), SVS_READS_AT(places, place), SVS_READS_OBJECT(read, head))

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static int types_are_as_described(void) {
    static citizen somewhere;
    CHECK(citizen_type.size == sizeof(citizen) && citizen_type.header == offsetof(citizen, svs));
    CHECK(citizen_type.link_count == 2 && citizen_type.links[1].offset == offsetof(citizen, at));
    CHECK(citizen_type.links[0].header(&somewhere) == offsetof(citizen, svs));
    CHECK(particle_type.link_count == 0 && particle_type.header == offsetof(particle, head));
    CHECK(pair_type.member_count == 1 && pair_type.link_count == 1);
    CHECK(pair_type.members[0].type == &cell_type);
    CHECK(box_type.member_count == 1 && box_type.link_count == 0);
    CHECK(hub_type.link_count == 13 && hub_type.links[12].offset == offsetof(hub, m));
    CHECK(blast_task.item_size == sizeof(blast) && blast_by_links_task.link_count == 1);
    return 0;
}

static int graph_runs(svs_world *world) {
    citizen *one = NULL, *two = NULL;
    cell *place = NULL;
    ring *loop = NULL;
    pair *both = NULL;
    svs_graph *graph = NULL;
    tour start;
    svs_task *maker = NULL, *second = NULL;
    CHECK(!SVS_NEW(world, citizen, &one));
    CHECK(!SVS_NEW(world, citizen, &two));
    CHECK(!SVS_NEW(world, cell, &place));
    CHECK(!SVS_NEW(world, ring, &loop));
    CHECK(!SVS_NEW(world, pair, &both));
    one->health = two->health = 6;
    CHECK(!svs_link(one, next, two) && !svs_link(one, at, place) && !svs_link(two, at, place));
    CHECK(!svs_link(both, chosen, one) && !svs_link(&both->inner, first, two));
    CHECK(!svs_link_in(loop, head, next, loop) && loop->next == loop);
    CHECK(!svs_graph_new(world, NULL, &graph));
    start.walker = one;
    CHECK(!svs_graph_add_itemizer(graph, &blast_task, NULL, &start.blasts));
    CHECK(!svs_graph_add_itemizer(graph, &blast_by_links_task, NULL, &start.by_links));
    CHECK(!svs_graph_add_transform(graph, &tour_alone_task, &start, NULL, &maker));
    CHECK(!svs_graph_add_transform(graph, &tour_named_task, &start, NULL, &second));
    CHECK(!svs_graph_add_flow(graph, maker, start.blasts) &&
          !svs_graph_add_flow(graph, maker, start.by_links));
    CHECK(!svs_graph_add_flow(graph, second, start.blasts) &&
          !svs_graph_add_flow(graph, second, start.by_links));
    CHECK(!svs_graph_run(graph, 1, NULL));
    /* Two senders, two items each, three points of damage an item. */
    CHECK(one->health == 6 - 12 && two->health == 6 - 12 && !one->at && !two->at);
    return svs_graph_free(graph);
}

static int names_do_not_meet(svs_world *world) {
    svs_graph *graph = NULL;
    svs_task *sender = NULL;
    context c;
    int sum = 0;
    c.sum = &sum;
    CHECK(!svs_graph_new(world, NULL, &graph));
    CHECK(!svs_graph_add_itemizer(graph, &count_task, NULL, &c.to));
    CHECK(!svs_graph_add_transform(graph, &context_task, &c, NULL, &sender));
    CHECK(!svs_graph_add_flow(graph, sender, c.to) && !svs_graph_run(graph, 1, NULL));
    CHECK(sum == 222);
    return svs_graph_free(graph);
}

static int shared_types_and_tasks_work(svs_world *world) {
    svs_graph *graph = NULL;
    svs_task *first = NULL, *again = NULL;
    lighting start;
    post *made = NULL;
    CHECK(!SVS_NEW(world, lamp, &start.at) && !SVS_NEW(world, post, &made));
    CHECK(!svs_link(start.at, next, &made->inner));
    CHECK(!svs_graph_new(world, NULL, &graph));
    CHECK(!svs_graph_add_itemizer(graph, &lighting_again_task, NULL, &again));
    start.next = again;
    CHECK(!svs_graph_add_transform(graph, &lighting_task, &start, NULL, &first));
    CHECK(!svs_graph_add_flow(graph, first, again) && !svs_graph_run(graph, 1, NULL));
    CHECK(start.at->lit == 2 && made->inner.lit == 0);
    start.next = NULL;
    CHECK(!svs_for_each(world, &lighting_task, &start, 1) && start.at->lit == 3);
    return svs_graph_free(graph);
}

/* What an access is, without the bytes of an address. */
static int access_is(const svs_access *access, svs_access_kind kind, svs_access_mode mode,
                     const void *what, uint64_t index) {
    return access->kind == kind && access->mode == mode && access->what == what &&
           access->index == index;
}

static int shapes_are_what_they_list(svs_world *world) {
    const int one = 1;
    int sum = 0;
    mixed m = {&sum, NULL, NULL, NULL, NULL, 7, &one};
    svs_access accesses[8];
    svs_footprint f;
    CHECK(!svs_space_new(world, "places", 10, &places));
    CHECK(!SVS_NEW(world, lamp, &m.lit) && !SVS_NEW(world, post, &m.read));
    m.head = &m.read->head;
    svs_footprint_init(&f, accesses, 8);
    mixed_task.touch(&f, &m);
    CHECK(!f.status && f.count == 7);
    CHECK(access_is(&accesses[0], SVS_KIND_ADDRESS, SVS_MODE_WRITE, &sum, 0));
    CHECK(access_is(&accesses[1], SVS_KIND_OBJECT, SVS_MODE_WRITE, m.head, 0));
    CHECK(access_is(&accesses[2], SVS_KIND_ADDRESS, SVS_MODE_READ, &one, 0));
    CHECK(access_is(&accesses[3], SVS_KIND_OBJECT, SVS_MODE_WRITE, &m.lit->svs, 0));
    CHECK(access_is(&accesses[4], SVS_KIND_OBJECT, SVS_MODE_WRITE, NULL, 0));
    CHECK(access_is(&accesses[5], SVS_KIND_OBJECT, SVS_MODE_READ, m.head, 0));
    CHECK(access_is(&accesses[6], SVS_KIND_INDEX, SVS_MODE_WRITE, places, 7));
    f.count = 0;
    mixed_reads_task.touch(&f, &m);
    CHECK(!f.status && f.count == 5);
    CHECK(access_is(&accesses[3], SVS_KIND_INDEX, SVS_MODE_READ, places, 7));
    CHECK(!svs_for_each(world, &mixed_task, &m, 1) && sum == 1 && m.lit->lit == 1);
    CHECK(!svs_for_each(world, &mixed_reads_task, &m, 1) && sum == 2 && m.lit->lit == 2);
    return svs_space_free(places);
}

static void count_one(svs_async_context *async, void *argument) {
    (void)async;
    __atomic_fetch_add(*CAST(int **, argument), 1, __ATOMIC_RELAXED);
}
static void spawn_two(svs_async_context *async, void *argument) {
    int *times = CAST(int *, argument);
    svs_async(async, count_one, &times, sizeof times);
    svs_async_spawn(async, count_one, &times, sizeof times);
}
static void finish_twice(svs_async_context *async, void *argument) {
    int *times = CAST(int *, argument);
    svs_finish(async, spawn_two, argument);
    if (__atomic_load_n(times, __ATOMIC_RELAXED) != 2) return;
    svs_finish_run(async, spawn_two, argument);
    if (__atomic_load_n(times, __ATOMIC_RELAXED) == 4) __atomic_store_n(times, 5, __ATOMIC_RELAXED);
}
static int asyncs_have_exported_twins(svs_world *world) {
    int times = 0;
    CHECK(!svs_async_run(svs_world_runtime(world), finish_twice, &times) && times == 5);
    return 0;
}

int main(void) {
    svs_runtime *runtime = NULL;
    svs_world *world = NULL;
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = 2;
    if (types_are_as_described()) return 1;
    CHECK(!svs_runtime_new(&options, &runtime) && !svs_runtime_start(runtime));
    CHECK(!svs_world_new(runtime, NULL, &world));
    if (graph_runs(world) || names_do_not_meet(world)) return 1;
    CHECK(!svs_world_free(world) && !svs_runtime_free(runtime));
    CHECK(!svs_start(2, &world));
    if (shared_types_and_tasks_work(world) || asyncs_have_exported_twins(world) ||
        shapes_are_what_they_list(world))
        return 1;
    CHECK(!svs_stop(world));
    return 0;
}
