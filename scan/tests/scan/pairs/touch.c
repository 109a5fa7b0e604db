/* A touch function that is written by hand, and reads what the body of another task writes: the
 * run takes an order, also one against that of the tasks' creation, or an implicit dependency, and
 * refuses two tasks that are open at once. */
#include <stdio.h>
#include <string.h>
#include <svs/scan.h>
#include <svs/svs.h>

typedef struct job {
    int *to;
} job;
static int *chosen, numbers[2];

static svs_status choose_run(svs_context *x, job *t) {
    (void)x, (void)t;
    chosen = &numbers[chosen == numbers];
    return SVS_OK;
}
SVS_TASK_SCANNED(choose, job, choose_run)

static void count_touch(svs_footprint *f, const job *t) {
    (void)t;
    if (chosen) svs_writes(f, chosen);
}
static svs_status count_run(svs_context *x, job *t) {
    (void)x, (void)t;
    if (chosen) ++*chosen;
    return SVS_OK;
}
SVS_TASK(count, job, count_run, count_touch)

typedef enum relation { UNORDERED, ORDERED, AGAINST, INDEPENDENT } relation;

static svs_status run(svs_world *world, relation how, svs_report *report) {
    svs_graph *graph;
    svs_task *a, *b;
    svs_status status = svs_graph_new(world, NULL, &graph), freed;
    if (status) return status;
    status = svs_graph_add_transform(graph, &choose_task, NULL, NULL, &a);
    if (!status) status = svs_graph_add_transform(graph, &count_task, NULL, NULL, &b);
    if (!status && how == ORDERED) status = svs_graph_add_order(graph, a, b);
    if (!status && how == AGAINST) status = svs_graph_add_order(graph, b, a);
    if (!status && how == INDEPENDENT) status = svs_graph_set_independent(graph, a, b);
    chosen = NULL, numbers[0] = numbers[1] = 0;
    if (!status) status = svs_graph_run(graph, 5, report);
    freed = svs_graph_free(graph);
    return status ? status : freed;
}

/* Iterations in which the count came behind the choice, or behind an earlier one. */
static int counted(void) { return numbers[0] + numbers[1]; }

int main(void) {
    svs_world *world = NULL;
    svs_report report = {0};
    svs_status status = svs_start(2, &world), refused = SVS_OK;
    if (!status) status = run(world, UNORDERED, &report);
    if (!status && counted() != 5) return puts("the implicit order was not kept"), 1;
    if (!status) status = run(world, ORDERED, &report);
    if (!status && counted() != 5) return puts("the order was not kept"), 1;
    if (!status) status = run(world, AGAINST, &report);
    if (!status && counted() != 4)
        return puts("the order against the implicit one was not kept"), 1;
    if (!status) refused = run(world, INDEPENDENT, &report);
    if (status || refused != SVS_E_INVALID || !strstr(report.text, "count") ||
        !strstr(report.text, "choose"))
        return printf("%d %d %s\n", status, refused, report.text), 1;
    return svs_stop(world);
}

#include SVS_SCANNED
