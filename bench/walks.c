/* Footprints that walk links while bodies assign them: each of 128,000 instances writes what it
 * reaches in eight hops, and one of 16 assigns the link that it begins with.
 *
 *     bench_walks [--nodes 100000,1000000] [--hops 8] [--assign 16] [--work 50,200,2000]
 *                 [--threads 1,2] [--instructions]
 *
 * An iteration is one run of all items; figures are nanoseconds an instance. `quiet_ns` is the time
 * in which no body can run, because the elements of a window are computed (sched.W14): that part is
 * shared by all workers, too. Every node's count is checked by their sum at the end. */
#include "shim.h"

#include <stdlib.h>

enum { ITEMS = 128000 };

typedef struct node node;
struct node {
    svs_object svs;
    node *next;
    uint64_t count;
};
SVS_TYPE(node, svs, next)

typedef struct walk {
    node *from, *next; /* next: of `from` afterwards, or NULL: it stays */
} walk;

typedef struct settings {
    uint64_t hops, assign;
    bench_list nodes, work, threads;
} settings;
static settings s = {.hops = 8, .assign = 16};

typedef struct contender {
    uint64_t nodes;
    uint32_t work, rounds, threads; /* threads: 0 for the serial loop */
    bench_case *measured;
} contender;
static contender contenders[BENCH_LIST_MAX][BENCH_LIST_MAX][BENCH_LIST_MAX + 1];

/* ---- the task ---- */

static void walk_touch(svs_footprint *f, const walk *w) {
    svs_writes_hops(f, &w->from->svs, (uint32_t)s.hops);
}

static void visit_all(const walk *w, uint32_t rounds) {
    node *at = w->from;
    bench_spin(rounds);
    for (uint64_t i = 0; i <= s.hops; i++, at = at->next) at->count++;
}

static svs_status walk_run(svs_context *x, walk *w) {
    visit_all(w, *(const uint32_t *)svs_context_argument(x));
    return w->next ? svs_link(w->from, next, w->next) : SVS_OK;
}
SVS_TASK(walk, walk_run, walk_touch)

/* ---- measuring ---- */

typedef struct input {
    svs_world *world;
    node **nodes;
    uint64_t count;
    walk *items;
} input;

static uint64_t draw(uint64_t *state, uint64_t below) {
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (*state >> 33) % below;
}

static input input_new(svs_runtime *runtime, uint64_t count) {
    input in = {NULL, bench_allocate(count, sizeof(node *)), count,
                bench_allocate(ITEMS, sizeof(walk))};
    uint64_t state = BENCH_SEED;
    BENCH_OK(svs_world_new(runtime, NULL, &in.world));
    for (uint64_t i = 0; i < count; i++) BENCH_OK(SVS_NEW(in.world, node, &in.nodes[i]));
    for (uint64_t i = 0; i < count; i++)
        BENCH_OK(svs_link(in.nodes[i], next, in.nodes[draw(&state, count)]));
    for (uint64_t i = 0; i < ITEMS; i++)
        in.items[i] = (walk){in.nodes[draw(&state, count)],
                             i % s.assign ? NULL : in.nodes[draw(&state, count)]};
    return in;
}

static void input_free(input *in, uint64_t runs) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < in->count; i++) sum += in->nodes[i]->count;
    if (sum != runs * ITEMS * (s.hops + 1)) bench_fail("%llu visits", (unsigned long long)sum);
    BENCH_OK(svs_world_free(in->world));
    free(in->nodes);
    free(in->items);
}

static void run_serially(const input *in, uint32_t rounds) {
    for (uint64_t i = 0; i < ITEMS; i++) {
        visit_all(&in->items[i], rounds);
        if (in->items[i].next) in->items[i].from->next = in->items[i].next;
    }
}

static void run_graph(const input *in, svs_graph *graph, svs_task *task) {
    BENCH_OK(svs_graph_send(graph, task, in->items, ITEMS, sizeof *in->items));
    BENCH_OK(svs_graph_run(graph, 1, NULL));
}

static void measure_svs(bench_state *state, const contender *c) {
    input in = input_new(bench_runtime_of(c->threads), c->nodes);
    svs_graph_statistics statistics;
    svs_graph *graph;
    svs_task *task;
    uint32_t rounds = c->rounds;
    uint64_t runs = 0;
    BENCH_OK(svs_graph_new(in.world, NULL, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, &walk_task, &rounds, &task));
    for (; bench_loop(state); runs++) run_graph(&in, graph, task);
    BENCH_OK(svs_graph_statistics_get(graph, &statistics));
    bench_counter(state, "quiet", (double)statistics.quiet_ns / ((double)runs * ITEMS));
    bench_counter(state, "width", bench_width(graph));
    BENCH_OK(svs_graph_free(graph));
    input_free(&in, runs);
}

static void measure_serial(bench_state *state, const contender *c) {
    input in = input_new(bench_runtime_of(1), c->nodes);
    uint64_t runs = 0;
    for (; bench_loop(state); runs++) run_serially(&in, c->rounds);
    input_free(&in, runs);
}

static void measure(bench_state *state, const void *argument) {
    const contender *c = argument;
    if (!c->threads) measure_serial(state, c);
    else measure_svs(state, c);
}

/* ---- rows ---- */

static double median(const contender *c, const char *key) {
    return bench_figure_of(c->measured, key).median;
}

static void report_one(const contender *c, const contender *one, const contender *serial) {
    bench_figure wall = bench_figure_of(c->measured, BENCH_WALL);
    if (!c->threads) {
        bench_case_row(c->measured, "wall_ns=%.1f wall_spread_pct=%.1f", wall.median,
                       wall.spread_pct);
        return;
    }
    bench_case_row(c->measured,
                   "wall_ns=%.1f wall_spread_pct=%.1f cpu_ns=%.1f quiet_ns=%.1f width=%.1f "
                   "ratio_serial=%.3f ratio_one=%.3f quiet_ratio_one=%.3f",
                   wall.median, wall.spread_pct, median(c, BENCH_CPU), median(c, "quiet"),
                   median(c, "width"), wall.median / median(serial, BENCH_WALL),
                   wall.median / median(one, BENCH_WALL),
                   median(c, "quiet") / median(one, "quiet"));
}

static void report(void) {
    for (size_t n = 0; n < s.nodes.count; n++)
        for (size_t w = 0; w < s.work.count; w++)
            for (size_t t = 0; t <= s.threads.count; t++) {
                const contender *all = contenders[n][w];
                report_one(&all[t], &all[1], &all[0]);
            }
}

static void add(contender *c, uint64_t nodes, uint64_t work, uint64_t threads) {
    *c = (contender){nodes, (uint32_t)work, bench_rounds((uint32_t)work), (uint32_t)threads, NULL};
    if (threads)
        c->measured =
            bench_case_new(measure, c, ITEMS, "walks engine=svs nodes=%llu work=%u threads=%u",
                           (unsigned long long)nodes, c->work, c->threads);
    else
        c->measured = bench_case_new(measure, c, ITEMS, "walks engine=serial nodes=%llu work=%u",
                                     (unsigned long long)nodes, c->work);
    c->measured->counted = threads < 2;
}

static void add_all(contender *all, uint64_t nodes, uint64_t work) {
    add(&all[0], nodes, work, 0);
    for (size_t t = 0; t < s.threads.count; t++) add(&all[t + 1], nodes, work, s.threads.values[t]);
}

static const option_row rows[] = {
    {"nodes", 'n', "LIST", "Nodes (100000,1000000)", 0,
     BENCH_OPTION_LIST(settings, nodes, 2, 10000000)},
    {"hops", 'o', "N", "Links that a footprint walks (8)", 0, OPTION_NUMBER(settings, hops, 1, 64)},
    {"assign", 'a', "N", "One of N bodies assigns a link (16)", 0,
     OPTION_NUMBER(settings, assign, 1, 1000000)},
    {"work", 'w', "LIST", "Work of an instance, ns (50,200,2000)", 0,
     BENCH_OPTION_LIST(settings, work, 0, 1000000)},
    {"threads", 't', "LIST", "Threads (1 and all)", 0,
     BENCH_OPTION_LIST(settings, threads, 1, SVS_THREADS_MAX)},
    BENCH_OPTION_INSTRUCTIONS,
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "Footprints that walk links which change."};
    s.nodes = bench_list_of(2, (uint64_t[]){100000, 1000000});
    s.work = bench_list_of(3, (uint64_t[]){50, 200, 2000});
    s.threads = bench_threads_default();
    bench_options(&program, argc, argv, &s);
    for (size_t n = 0; n < s.nodes.count; n++)
        for (size_t w = 0; w < s.work.count; w++)
            add_all(contenders[n][w], s.nodes.values[n], s.work.values[w]);
    return bench_run(report);
}
