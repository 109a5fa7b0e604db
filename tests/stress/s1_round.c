#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>

#include "s1.h"

static void must(svs_status status, const char *what) {
    if (!status) return;
    printf("failed: %s: %s (%s)\n", what, svs_status_name(status), svs_status_text(status));
    fflush(stdout);
    _Exit(2);
}

/* ---- the world ---- */

static s1_node *near(uint64_t *random, uint32_t i) {
    uint32_t family = s1.shape.family, to = i / family * family + s1_below(random, family);
    if (s1_below(random, 1000) < s1.shape.cross || to >= s1.shape.nodes)
        to = s1_below(random, s1.shape.nodes);
    return s1.nodes[to];
}

/* For a race check: which bytes the cells' addresses and indices stand for. */
static void place_cells(void) {
    must(svs_check_index_range(s1.space, 0, s1.indexed, sizeof s1.indexed[0], S1_CELLS, "indexed"),
         "to name a range");
    for (uint32_t i = 0; i < S1_CELLS; i++)
        must(svs_check_object_range(&s1.addressed[i], sizeof s1.addressed[i], "addressed"),
             "to name a range");
}

static void forget_cells(void) {
    svs_check_forget_range(s1.indexed);
    for (uint32_t i = 0; i < S1_CELLS; i++) svs_check_forget_range(&s1.addressed[i]);
}

static void make_world(svs_runtime *runtime, uint64_t *random) {
    must(svs_world_new(runtime, &s1.shape.world, &s1.world), "a world");
    must(svs_space_new(s1.world, "cells", S1_CELLS, &s1.space), "a space");
    must(svs_space_new(s1.world, "wide", S1_WIDE, &s1.wide), "a space");
    s1.nodes = calloc(s1.shape.nodes, sizeof(s1_node *));
    if (!s1.nodes) abort();
    for (uint32_t i = 0; i < s1.shape.nodes; i++) {
        void *storage;
        must(svs_object_new(s1.world, s1_type, &storage), "a node");
        s1.nodes[i] = storage;
        s1.nodes[i]->sentinel.name = i;
        s1.nodes[i]->lasting = true;
    }
    for (uint32_t i = 0; i < s1.shape.nodes; i++) {
        s1_node *a = near(random, i), *b = near(random, i);
        if (s1_chance(random, 60)) must(svs_link(s1.nodes[i], a, a), "a link");
        if (s1_chance(random, 40)) must(svs_link(s1.nodes[i], b, b), "a link");
    }
    memset(s1.indexed, 0, sizeof s1.indexed);
    memset(s1.addressed, 0, sizeof s1.addressed);
    memset(&s1.alone, 0, sizeof s1.alone);
    for (uint32_t i = 0; i < S1_CELLS; i++) {
        s1.indexed[i].name = 100 + i;
        s1.addressed[i].name = 200 + i;
    }
    s1.alone.name = 300;
    place_cells();
    atomic_store(&s1.lost, 0);
    for (uint32_t i = 0; i < S1_WORKERS_MAX; i++) s1.workers[i].writes = 0;
}

static uint64_t check_sentinel(const s1_sentinel *sentinel) {
    if (sentinel->inside) s1_violated("S1", "an instance is still inside of %u", sentinel->name);
    return sentinel->data;
}

/* The additions of all writers are there: none was lost to another. */
static void check_data(void) {
    uint64_t found = atomic_load(&s1.lost) + check_sentinel(&s1.alone), written = 0;
    for (uint32_t i = 0; i < s1.shape.nodes; i++) {
        found += check_sentinel(&s1.nodes[i]->sentinel);
        if (s1.nodes[i]->own) found += check_sentinel(&s1.nodes[i]->own->sentinel);
    }
    for (uint32_t i = 0; i < S1_CELLS; i++)
        found += check_sentinel(&s1.indexed[i]) + check_sentinel(&s1.addressed[i]);
    for (uint32_t i = 0; i < S1_WORKERS_MAX; i++) written += s1.workers[i].writes;
    if (found != written)
        s1_violated("S1", "%llu writes were made, %llu are there", (unsigned long long)written,
                    (unsigned long long)found);
}

static void free_world(void) {
    forget_cells();
    must(svs_space_free(s1.space), "to free a space");
    must(svs_space_free(s1.wide), "to free a space");
    must(svs_world_free(s1.world), "to free the world");
    free(s1.nodes);
}

/* ---- graphs ---- */

static svs_algorithm any_algorithm(uint64_t *random) {
    static const svs_algorithm all[] = {SVS_ALGORITHM_STAGED, SVS_ALGORITHM_PROGRESSIVE,
                                        SVS_ALGORITHM_WINDOWED, SVS_ALGORITHM_IN_ORDER};
    return all[s1_below(random, 4)];
}

static void add_task(s1_graph *graph, uint64_t *random, bool transform) {
    uint32_t index = graph->task_count++;
    struct s1_task *task = &graph->task[index];
    s1_item item;
    task->graph = graph;
    task->index = index;
    task->transform = transform;
    task->batch = transform ? s1.shape.batch : 0;
    s1_item_make(random, &item);
    item.depth = 0;
    if (transform) {
        if (s1.shape.batch && s1_chance(random, 60)) item.count = 0; /* it only sends */
        must(svs_graph_add_transform(graph->graph, &s1_task, &item, task, &graph->tasks[index]),
             "a transform");
    } else {
        must(svs_graph_add_itemizer(graph->graph, &s1_task, task, &graph->tasks[index]),
             "an itemizer");
    }
    if (s1.shape.algorithm == SVS_ALGORITHM_DEFAULT && !graph->windowed && s1_chance(random, 60))
        must(svs_task_set_algorithm(graph->tasks[index], any_algorithm(random)), "an algorithm");
}

/* From earlier tasks to later ones only, so that there is no cycle. */
static void connect(s1_graph *graph, uint64_t *random) {
    for (uint32_t to = 1; to < graph->task_count; to++) {
        bool fed = false, itemizer = !graph->task[to].transform;
        for (uint32_t from = to; from-- > 0;) {
            struct s1_task *task = &graph->task[from];
            if (itemizer && (s1_chance(random, 50) || (from == 0 && !fed))) {
                must(svs_graph_add_flow(graph->graph, graph->tasks[from], graph->tasks[to]),
                     "sends");
                task->consumers[task->consumer_count++] = to;
                fed = true;
            } else if (s1_chance(random, s1.shape.explicit_)) {
                must(svs_graph_add_order(graph->graph, graph->tasks[from], graph->tasks[to]),
                     "order");
            } else if (s1_chance(random, s1.shape.independent)) {
                must(svs_graph_set_independent(graph->graph, graph->tasks[from], graph->tasks[to]),
                     "independent");
            }
        }
    }
}

static void make_graph(s1_graph *graph, uint64_t *random, bool windowed) {
    svs_graph_options options;
    memset(graph, 0, sizeof *graph);
    graph->windowed = windowed;
    svs_graph_options_init(&options);
    options.name = "s1";
    options.algorithm = s1.shape.algorithm;
    if (s1.shape.algorithm == SVS_ALGORITHM_DEFAULT) options.algorithm = any_algorithm(random);
    if (windowed) options.algorithm = SVS_ALGORITHM_WINDOWED;
    if (options.algorithm != SVS_ALGORITHM_WINDOWED && s1_chance(random, 30))
        options.stage_width = 1 + s1_below(random, 64);
    options.stage_conflicts = 1 + s1_below(random, 64);
    options.explain_every = s1_below(random, 8);
    graph->iterations = s1.shape.iterations;
    must(svs_graph_new(s1.world, &options, &graph->graph), "a graph");
    for (uint32_t i = 0; i < s1.shape.transforms; i++) add_task(graph, random, true);
    for (uint32_t i = 0; i < s1.shape.itemizers; i++) add_task(graph, random, false);
    connect(graph, random);
    graph->capacity = s1.shape.batch * s1.shape.transforms * s1.shape.iterations * 2 + 1024;
    graph->ran = calloc(graph->capacity, sizeof *graph->ran);
    if (!graph->ran) abort();
}

static void send_from_outside(s1_graph *graph, uint64_t *random) {
    s1_item items[16];
    uint32_t to = graph->task_count - 1, count = 1 + s1_below(random, 16);
    if (graph->task[to].transform) return;
    for (uint32_t i = 0; i < count; i++) {
        s1_item_make(random, &items[i]);
        items[i].id = atomic_fetch_add(&graph->next_id, 1);
    }
    must(svs_graph_send(graph->graph, graph->tasks[to], items, count, sizeof(s1_item)), "to send");
}

static void check_counts(const s1_graph *graph) {
    for (uint32_t i = 0; i < graph->next_id; i++)
        if (graph->ran[i] != 1)
            s1_violated("S2", "item %u ran %u times", i, (unsigned)graph->ran[i]);
    for (uint32_t i = 0; i < graph->task_count; i++)
        if (graph->task[i].transform && graph->task[i].ran != graph->iterations)
            s1_violated("S2", "a transform ran %u times in %u iterations",
                        (unsigned)graph->task[i].ran, graph->iterations);
}

static void *run_graph(void *argument) {
    s1_graph *graph = argument;
    svs_report report;
    svs_status status = svs_graph_run(graph->graph, graph->iterations, &report);
    if (status) printf("%s\n", report.text);
    must(status, "a run");
    check_counts(graph);
    return NULL;
}

void s1_round(svs_runtime *runtime, uint64_t *random) {
    s1_graph graphs[S1_GRAPHS_MAX];
    pthread_t threads[S1_GRAPHS_MAX];
    make_world(runtime, random);
    for (uint32_t i = 0; i < s1.shape.graphs; i++) {
        make_graph(&graphs[i], random, s1.shape.windowed && i == 0);
        if (s1_chance(random, 50)) send_from_outside(&graphs[i], random);
    }
    for (uint32_t i = 1; i < s1.shape.graphs; i++)
        if (pthread_create(&threads[i], NULL, run_graph, &graphs[i])) abort();
    run_graph(&graphs[0]);
    for (uint32_t i = 1; i < s1.shape.graphs; i++) pthread_join(threads[i], NULL);
    check_data();
    if (s1_chance(random, 30)) must(svs_world_refresh(s1.world), "a refresh");
    for (uint32_t i = 0; i < s1.shape.graphs; i++) {
        must(svs_graph_free(graphs[i].graph), "to free a graph");
        free(graphs[i].ran);
    }
    free_world();
}
