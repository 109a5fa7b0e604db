/* A program with the compiler's ThreadSanitizer, on the library without: program CASE POLICY.
 * Each case but the last is correct, and the sanitizer must be silent about it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/svs.h>
#include <unistd.h>

enum { CELLS = 64, ITEMS = 4000, THREADS = 3 };

typedef struct cell {
    long value;
    struct cell *next;
    svs_object svs;
} cell;
SVS_TYPE(cell, svs, next)

static long plain[CELLS];
static cell *cells[CELLS];

/* ---- items that bodies write and send on; objects that bodies make and link ---- */

typedef struct step {
    svs_world *world;
    svs_task *to;
    int at, left;
} step;
static void step_touch(svs_footprint *f, const step *s) {
    svs_writes(f, &plain[s->at]);
    svs_writes_reach(f, &cells[s->at]->svs);
}
static svs_status step_run(svs_context *x, step *s) {
    cell *made;
    svs_status status = SVS_OK;
    plain[s->at]++;
    cells[s->at]->value++;
    for (cell *c = cells[s->at]->next; c != NULL; c = c->next) c->value++;
    if (s->left % 8 == 0) {
        status = SVS_NEW(s->world, cell, &made);
        if (!status) status = svs_link(made, next, NULL);
        if (!status) status = svs_link(cells[s->at], next, made);
        if (!status) made->value = 1;
    }
    if (status || s->to == NULL) return status;
    svs_task *to = s->to;
    s->at = (s->at + 7) % CELLS; /* the item is the body's */
    s->to = NULL;
    return svs_send(x, to, s, 1, sizeof *s);
}
SVS_TASK(step, step_run, step_touch)

static long total;
typedef struct sum {
    int unused;
} sum;
static void sum_touch(svs_footprint *f, const sum *s) { (void)f, (void)s; }
static svs_status sum_run(svs_context *x, sum *s) { /* after all steps, by the graph's order */
    (void)x, (void)s;
    for (int i = 0; i < CELLS; i++) total += plain[i] + cells[i]->value;
    return SVS_OK;
}
SVS_TASK(sum, sum_run, sum_touch)

static int run_graph(svs_world *world) {
    svs_graph *graph;
    svs_task *first, *second, *sums;
    sum s = {0};
    svs_status status = svs_graph_new(world, NULL, &graph);
    if (!status) status = svs_graph_add_itemizer(graph, &step_task, NULL, &first);
    if (!status) status = svs_graph_add_itemizer(graph, &step_task, NULL, &second);
    if (!status) status = svs_graph_add_transform(graph, &sum_task, &s, NULL, &sums);
    if (!status) status = svs_graph_add_flow(graph, first, second);
    if (!status) status = svs_graph_add_order(graph, second, sums);
    for (int round = 0; round < 3 && !status; round++) {
        for (int i = 0; i < ITEMS / 4 && !status; i++) {
            step item = {world, second, i % CELLS, i};
            status = svs_graph_send(graph, first, &item, 1, sizeof item);
        }
        if (!status) status = svs_graph_run(graph, 1, NULL);
    }
    return status || svs_graph_free(graph) || total == 0;
}

/* ---- asyncs, in bodies and as roots ---- */

static long tree[1 << 12];

SVS_ASYNC_FUNCTION(long, grow, (int, at), (int, round)) {
    long left, right;
    if (at >= 1 << 11) return tree[at] = at + round;
    SVS_ASYNC_TO(left, grow, 2 * at, round);
    right = SVS_CALL(grow, 2 * at + 1, round);
    SVS_SYNC(grow);
    return tree[at] = left + right;
}

typedef struct part {
    long *from;
    int count;
    char padding[200]; /* more than a slot */
} part;
static void halve(svs_async_context *async, void *argument) {
    part *p = argument, upper = *p;
    if (p->count == 1) {
        ++*p->from;
        return;
    }
    p->count /= 2;
    upper.from += p->count;
    upper.count -= p->count;
    svs_async(async, halve, &upper, sizeof upper);
    svs_async(async, halve, p, sizeof *p);
}
static void halve_all(svs_async_context *async, void *argument) {
    part p = {tree, 1 << 12, ""};
    for (int round = 0; round < 4; round++) svs_finish(async, halve, &p);
    for (int i = 0; i < 1 << 12; i++) *(long *)argument += tree[i];
}
static void run_roots(svs_async_context *async, void *argument) {
    for (int round = 0; round < 20; round++)
        *(long *)argument += SVS_CALL_ON(async, grow, 1, round);
    halve_all(async, argument);
}

typedef struct job {
    long *result;
} job;
static void job_touch(svs_footprint *f, const job *j) { svs_writes(f, j->result); }
static svs_status job_run(svs_context *x, job *j) {
    halve_all(svs_context_async(x), j->result);
    return SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

static int run_asyncs(svs_world *world) {
    long sums[2] = {0};
    job jobs[4] = {{&sums[1]}, {&sums[1]}, {&sums[1]}, {&sums[1]}};
    return svs_async_run(svs_world_runtime(world), run_roots, &sums[0]) ||
           svs_for_each(world, &job_task, jobs, 4) || !sums[0] || !sums[1];
}

/* ---- runs of two threads ---- */

typedef struct count {
    long *cell;
} count;
static void count_touch(svs_footprint *f, const count *c) { svs_writes(f, c->cell); }
static svs_status count_run(svs_context *x, count *c) {
    (void)x;
    ++*c->cell;
    return SVS_OK;
}
SVS_TASK(count, count_run, count_touch)

static void *run_counts(void *world) {
    count mine[ITEMS / 8];
    for (int i = 0; i < ITEMS / 8; i++) mine[i].cell = &plain[i % CELLS];
    for (int round = 0; round < 8; round++)
        if (svs_for_each(world, &count_task, mine, ITEMS / 8)) return world;
    return NULL;
}

static int run_threads(svs_world *world) {
    pthread_t other;
    void *failed = NULL;
    long sum = 0;
    if (pthread_create(&other, NULL, run_counts, world)) return 1;
    if (run_counts(world) != NULL) return 1;
    pthread_join(other, &failed);
    for (int i = 0; i < CELLS; i++) sum += plain[i];
    return failed != NULL || sum != 2 * ITEMS;
}

/* ---- a loop that takes the graph of another thread's last loop ---- */

static int kept;
static void *run_first(void *world) {
    count mine = {&plain[0]};
    svs_status status = svs_for_each(world, &count_task, &mine, 1);
    __atomic_store_n(&kept, 1, __ATOMIC_RELAXED); /* orders nothing */
    return status ? world : NULL;
}

static int run_kept(svs_world *world) {
    pthread_t other;
    void *failed = NULL;
    count mine = {&plain[0]};
    if (pthread_create(&other, NULL, run_first, world)) return 1;
    for (int i = 0; i < 1000 && !__atomic_load_n(&kept, __ATOMIC_RELAXED); i++) usleep(1000);
    if (svs_for_each(world, &count_task, &mine, 1)) return 1;
    pthread_join(other, &failed);
    return failed != NULL || plain[0] != 2;
}

/* ---- a race: instances that overlap write one place that none declares ---- */

static long racy;
static int met;
static svs_status race_run(svs_context *x, count *c) {
    (void)x, (void)c;
    racy++;
    __atomic_fetch_add(&met, 1, __ATOMIC_RELAXED); /* orders nothing */
    for (int i = 0; i < 100000000 && __atomic_load_n(&met, __ATOMIC_RELAXED) < 2; i++) continue;
    racy++;
    return SVS_OK;
}
SVS_TASK(race, count, race_run, count_touch)

static int run_race(svs_world *world) {
    count items[2] = {{&plain[0]}, {&plain[32]}};
    return svs_for_each(world, &race_task, items, 2);
}

int main(int argument_count, char **arguments) {
    static const struct {
        const char *name;
        int (*run)(svs_world *world);
    } cases[] = {{"graph", run_graph},
                 {"asyncs", run_asyncs},
                 {"threads", run_threads},
                 {"kept", run_kept},
                 {"race", run_race}};
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_world *world;
    int status = 2;
    if (argument_count != 3) return 2;
    svs_runtime_options_init(&options);
    options.threads = THREADS;
    options.policy = strcmp(arguments[2], "work-first") == 0;
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime) ||
        svs_world_new(runtime, NULL, &world))
        return 2;
    for (int i = 0; i < CELLS; i++)
        if (SVS_NEW(world, cell, &cells[i])) return 2;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, arguments[1]) == 0) status = cases[i].run(world);
    return svs_world_free(world) || svs_runtime_free(runtime) || status;
}
