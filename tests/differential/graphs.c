/* Graphs: built at random, run at once, each until a run of it has gone well; and sched.S2 at the
 * end. */
#include <stdlib.h>
#include <string.h>

#include "differential.h"

/* ---- building ---- */

static uint32_t draw_kind(uint64_t *random, bool each) {
    uint32_t at = below(random, the.plan.shape.kinds);
    return at < 65   ? PLAIN
           : at < 77 ? LARGE
           : at < 92 ? REACHING
           : at < 94 ? GIANT
           : each    ? PLAIN
                     : ALONE;
}

static svs_algorithm draw_algorithm(uint64_t *random) { return (svs_algorithm)below(random, 5); }

/* Of WINDOWS and GROWING. @return whether all tasks have the algorithm of the graph. */
static bool has_one_algorithm(const graph *g) {
    return has(F_GROWING) || (has(F_WINDOWS) && g->index == 0);
}

static uint32_t draw_batch(graph *g, uint64_t *random) {
    uint32_t batch = within(random, the.plan.shape.batch);
    if (batch > g->room) batch = g->room;
    g->room -= batch;
    return batch;
}

static task *new_task(graph *g, uint64_t *random, bool transform) {
    task *t = &g->tasks[g->task_count];
    t->graph = g;
    t->index = g->task_count++;
    t->kind = draw_kind(random, !g->graph);
    t->transform = transform;
    t->batch = transform ? draw_batch(g, random) : 0;
    return t;
}

static void add_task(graph *g, uint64_t *random) {
    /* of a shaped program, the second one takes what the first one sends */
    bool second = g->task_count == 1 && has(F_SHAPING) && !has(F_TRANSFORMS);
    bool transform = g->task_count == 0 || chance(random, the.plan.shape.transforms);
    task *t = new_task(g, random, transform && !second);
    const svs_task_type *type = task_types[t->kind];
    if (t->transform) {
        void *bytes;
        draw_item(random, t, 0, &t->item);
        bytes = pack_items(t, &t->item, 1);
        must(svs_graph_add_transform(g->graph, type, bytes, t, &t->task),
             "svs_graph_add_transform");
        free(bytes);
    } else {
        must(svs_graph_add_itemizer(g->graph, type, t, &t->task), "svs_graph_add_itemizer");
    }
    if (chance(random, 50) && !has_one_algorithm(g))
        must(svs_task_set_algorithm(t->task, draw_algorithm(random)), "svs_task_set_algorithm");
}

/* From earlier tasks to later ones only, so that there is no cycle. A task waits for the end of all
 * from which a way, of which the last part is an order, leads to it: whatever may send to a task
 * ends before it. */
static void connect(graph *g, uint64_t *random) {
    const shape *s = &the.plan.shape;
    uint32_t above[TASKS_MAX] = {0};
    for (uint32_t to = 1; to < g->task_count; to++)
        for (uint32_t from = 0; from < to; from++) {
            task *a = &g->tasks[from], *b = &g->tasks[to];
            uint32_t all = above[from] | UINT32_C(1) << from, what = below(random, 100);
            bool fed = what < s->flow || (from == 0 && has(F_SHAPING));
            if (!b->transform && fed) {
                must(svs_graph_add_flow(g->graph, a->task, b->task), "svs_graph_add_flow");
                a->consumers[a->consumer_count++] = to;
                above[to] |= all;
            } else if (s->order && what < s->flow + s->order) {
                must(svs_graph_add_order(g->graph, a->task, b->task), "svs_graph_add_order");
                above[to] |= all;
                b->before |= all;
            } else if (what < s->flow + s->order + s->independent) {
                must(svs_graph_set_independent(g->graph, a->task, b->task),
                     "svs_graph_set_independent");
            }
        }
    for (uint32_t to = 0; to < g->task_count; to++)
        for (uint32_t from = 0; from < to; from++)
            if (g->tasks[to].before >> from & 1) g->tasks[from].after |= UINT32_C(1) << to;
}

static graph *new_graph(uint32_t index, land *l, uint64_t *random) {
    graph *g = calloc(1, sizeof *g);
    if (!g) abort();
    g->land = l;
    g->index = index;
    g->iterations = 1;
    g->seed = next_random(random);
    return the.graphs[index] = g;
}

graph *graph_make_each(uint32_t index, land *l, uint64_t *random) {
    graph *g = new_graph(index, l, random);
    (void)new_task(g, random, false);
    return g;
}

graph *graph_make(uint32_t index, land *l, uint64_t *random) {
    graph *g = new_graph(index, l, random);
    svs_graph_options options;
    svs_graph_options_init(&options);
    options.name = "differential";
    options.algorithm = draw_algorithm(random);
    if (has_one_algorithm(g))
        options.algorithm = has(F_GROWING) ? SVS_ALGORITHM_PROGRESSIVE : SVS_ALGORITHM_DEFAULT;
    if (chance(random, 30) && !has_one_algorithm(g)) options.stage_width = 1 + below(random, 16);
    options.stage_conflicts = chance(random, 10) ? UINT32_MAX : 1 + below(random, 64);
    options.explain_every = below(random, 8);
    must(svs_graph_new(l->world, &options, &g->graph), "svs_graph_new");
    g->iterations = within(random, the.plan.shape.iterations);
    g->room = SENT_MAX / g->iterations;
    for (uint32_t i = within(random, the.plan.shape.tasks); i; i--) add_task(g, random);
    connect(g, random);
    return g;
}

void graph_free(graph *g) {
    generated_free(g);
    if (g->graph) must(svs_graph_free(g->graph), "svs_graph_free");
    free(g);
}

/* ---- a run ---- */

uint32_t draw_outside(graph *g, item *items, task **to) {
    uint64_t random = g->seed + g->round;
    bool many = has(F_MANY | F_WINDOWS);
    task *t = NULL;
    uint32_t most = many ? OUTSIDE_MAX : 16, depths = many ? 1 : 3;
    uint32_t together = has(F_GENERATED | F_SOURCES) ? 16 * CHILDREN_MAX : CHILDREN_MAX;
    uint32_t count = chance(&random, 60) || !g->graph ? below(&random, most) : 0, sent = 0;
    for (uint32_t k = 0; k < count; k++) {
        /* of thousands, those that follow each other are for one task */
        if (!many || k % together == 0) t = &g->tasks[below(&random, g->task_count)];
        if (t->transform) continue;
        draw_item(&random, t, below(&random, depths), &items[sent]);
        to[sent++] = t;
    }
    return sent;
}

static void clear_counts(graph *g) {
    memset((void *)g->ran, 0, atomic_exchange(&g->next_id, 0));
    atomic_store(&g->iteration, 0);
    atomic_store(&g->instances, 0);
    atomic_store(&g->failed, 0);
    atomic_store(&g->unfinished, 0);
    memset((void *)g->open, 0, sizeof g->open);
    for (uint32_t i = 0; i < g->task_count; i++) {
        atomic_store(&g->tasks[i].outstanding, 0);
        atomic_store(&g->tasks[i].begun, 0);
        atomic_store(&g->tasks[i].ended, 0);
    }
    if (g->graph) must(svs_graph_statistics_reset(g->graph), "svs_graph_statistics_reset");
}

static void send_items(graph *g, task *to, const item *items, uint32_t count) {
    size_t size = task_types[to->kind]->item_size;
    for (uint32_t k = 0; k < count; k++) {
        void *bytes = pack_items(to, &items[k], 1);
        must(svs_graph_send(g->graph, to->task, bytes, 1, size), "svs_graph_send");
        free(bytes);
    }
}

static void prepare_run(graph *g) {
    static item items[OUTSIDE_MAX];
    static task *to[OUTSIDE_MAX];
    uint64_t random = g->seed - g->round;
    clear_counts(g);
    generated_free(g);
    g->sent = draw_outside(g, items, to);
    for (uint32_t k = 0; k < g->sent; k++) take_ids(to[k], 0, &items[k], 1);
    if (!g->graph) {
        g->bytes = pack_items(&g->tasks[0], items, g->sent);
        return;
    }
    for (uint32_t k = 0, end; k < g->sent; k = end) {
        for (end = k + 1; end < g->sent && to[end] == to[k];) end++;
        if (has(F_GENERATED) && chance(&random, 75)) generate_items(g, to[k], &items[k], end - k);
        else if (has(F_SOURCES) && chance(&random, 75))
            stream_items(g, to[k], &items[k], end - k, &random);
        else send_items(g, to[k], &items[k], end - k);
    }
}

static void *run_graph(void *argument) {
    graph *g = argument;
    if (g->graph) {
        g->status = svs_graph_run(g->graph, g->iterations, NULL);
        atomic_store(&g->returned, true);
        return NULL;
    }
    g->status = svs_for_each(g->land->world, task_types[g->tasks[0].kind], g->bytes, g->sent);
    free(g->bytes);
    return NULL;
}

static void check_counts(graph *g) {
    svs_graph_statistics s;
    for (uint32_t i = 0; i < atomic_load(&g->next_id); i++)
        if (g->ran[i] != 1) violated("S2", "item %u was sent and never ran", i);
    for (uint32_t i = 0; i < g->task_count; i++)
        if (g->tasks[i].transform && atomic_load(&g->tasks[i].ended) != g->iterations)
            violated("S2", "a transform ran %u times in %u iterations",
                     (unsigned)atomic_load(&g->tasks[i].ended), g->iterations);
    if (!g->graph) return;
    must(svs_graph_statistics_get(g->graph, &s), "svs_graph_statistics_get");
    if (s.instances != atomic_load(&g->instances))
        violated("S2", "%llu instances are counted, %u ran", (unsigned long long)s.instances,
                 (unsigned)atomic_load(&g->instances));
}

/* A run fails as one of its bodies did, and only then. */
static void check_run(graph *g) {
    uint32_t failed = atomic_load(&g->failed);
    bool memory = g->status == SVS_E_NO_MEMORY && has(F_OOM) && g->failing;
    bool user = g->status > 0 && g->status < 32 && failed >> g->status & 1;
    g->done = g->status == SVS_OK;
    if (atomic_load(&g->unfinished))
        violated("S2", "the run has ended, and %u instances are not finished",
                 (unsigned)atomic_load(&g->unfinished));
    if (!g->done && !memory && !user)
        violated("a run", "it answered %s (%d)", svs_status_name(g->status), (int)g->status);
    if (g->done && failed) violated("a run", "a body has failed, and the run answered SVS_OK");
    if (g->done) check_counts(g);
    (void)atomic_fetch_add(&instances_total, atomic_load(&g->instances));
}

/* Without memory a run may not have begun: what was sent to it runs with the next one. */
static void drain(graph *g) {
    if (g->done || !g->graph || g->status != SVS_E_NO_MEMORY) return;
    g->draining = true;
    must(svs_graph_run(g->graph, 1, NULL), "svs_graph_run, with memory again");
    g->draining = false;
}

static void run_all(bool failing) {
    pthread_t threads[2 * GRAPHS_MAX];
    bool started[2 * GRAPHS_MAX] = {false};
    for (uint32_t i = 0; i < the.graph_count; i++) {
        the.graphs[i]->failing = failing;
        drain(the.graphs[i]);
        if (!the.graphs[i]->done) prepare_run(the.graphs[i]);
    }
    if (failing && has(F_OOM)) memory_fails(the.plan.oom);
    for (uint32_t i = 0; i < the.graph_count; i++)
        if (!the.graphs[i]->done) streams_begin(the.graphs[i]);
    for (uint32_t i = 1; i < the.graph_count; i++) {
        if (the.graphs[i]->done) continue;
        if (pthread_create(&threads[i], NULL, run_graph, the.graphs[i])) abort();
        started[i] = true;
    }
    if (!the.graphs[0]->done) (void)run_graph(the.graphs[0]);
    for (uint32_t i = 1; i < the.graph_count; i++)
        if (started[i]) pthread_join(threads[i], NULL);
    for (uint32_t i = 0; i < the.graph_count; i++) streams_end(the.graphs[i]);
    memory_fails(0);
    for (uint32_t i = 0; i < the.graph_count; i++)
        if (!the.graphs[i]->done) check_run(the.graphs[i]);
}

void graphs_run(void) {
    uint64_t data = 0;
    for (uint32_t i = 0; i < the.graph_count; i++) {
        the.graphs[i]->done = false;
        the.graphs[i]->status = SVS_OK;
        the.graphs[i]->round++;
    }
    if (the.plan.features & (F_FAIL | F_OOM)) run_all(true);
    run_all(false);
    for (uint32_t i = 0; i < the.plan.lands; i++) data += land_data(&the.lands[i]);
    if (data != atomic_load(&the.written))
        violated("S1", "%llu was added, %llu is there", (unsigned long long)the.written,
                 (unsigned long long)data);
}
