/* A graph on the workers of rank 1 alongside posts to that rank. Measured: the CPU time of both
 * together, divided by the sum of the times of each alone; and the records that arrived while the
 * graph ran. The transport is `local`, so the process has both ranks. */
#include "works.h"

#include <svs/ranks/offload.h>
#include <svs/svs.h>

enum { INSTANCES = 1000000, POSTS = 1000000 };

typedef enum kind { GRAPH, BOTH_OF_THEM, RECORDS, KINDS } kind;

typedef struct cell {
    uint64_t *sum;
} cell;
static void cell_touch(svs_footprint *footprint, const cell *item) {
    svs_writes(footprint, item->sum);
}
static svs_status cell_run(svs_context *context, cell *item) {
    (void)context;
    *item->sum += 1;
    return SVS_OK;
}
SVS_TASK(cell, cell_run, cell_touch)

/* A rank's own. */
typedef struct mine {
    svs_thread thread;
    svs_graph *graph;
    uint64_t left, received, before_end;
    kind what;
    svs_counter done;
} mine;

static void receive(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    mine *me = data;
    (void)ranks, (void)records;
    me->received += many;
}
SVS_HANDLER_IN_PLACE(counted, record, receive)
const svs_handler *const offload_handlers[] = {&counted};
const size_t offload_handler_count = 1;

static svs_status post_all(svs_ranks *ranks, void *state) {
    mine *me = svs_ranks_data(ranks);
    const record one = {1, 2};
    (void)state;
    for (; me->left != 0; me->left--) {
        svs_fiber rest;
        svs_status status = counted_post(ranks, 1, &one);
        if (status == SVS_OK) continue;
        if (status != SVS_WAIT) return status;
        BENCH_OK(svs_fiber_continue(ranks, post_all, &rest));
        return svs_post_ready(ranks, 1, rest);
    }
    return SVS_OK;
}

static svs_status run_graph(svs_ranks *ranks, void *state) {
    mine *me = *(mine **)state;
    SVS_THREAD_BEGIN(ranks, me);
    if (svs_offload_graph(ranks, me->graph, INSTANCES, &me->done) != SVS_WAIT) return SVS_E_STATE;
    SVS_AWAIT(ranks, me, &me->done, 1);
    me->before_end = me->received;
    SVS_THREAD_END;
}

static svs_status begin(svs_ranks *ranks, void *state) {
    mine *me = svs_ranks_data(ranks);
    svs_fiber fiber;
    (void)state;
    if (svs_ranks_index(ranks) == 0 && me->what != GRAPH) return post_all(ranks, NULL);
    if (svs_ranks_index(ranks) == 1 && me->what != RECORDS) {
        BENCH_OK(svs_fiber_new(ranks, run_graph, &me, sizeof(mine *), NULL, &fiber));
        BENCH_OK(svs_fiber_enable(ranks, fiber));
    }
    return SVS_OK;
}

/* @return the CPU nanoseconds of the process. */
static double measure(svs_ranks *ranks, svs_graph *graph, kind what, uint64_t *before_end) {
    mine me = {.graph = graph, .left = POSTS, .what = what};
    uint64_t from = bench_cpu_ns();
    svs_ranks_set_data(ranks, &me);
    BENCH_OK(svs_ranks_run(ranks, begin, NULL));
    *before_end = me.before_end;
    return (double)(bench_cpu_ns() - from);
}

static void row(double *ratios, double *before, uint64_t rounds) {
    bench_row("bench=ranks work=offload engine=svs transport=local ranks=2 instances=%d posts=%d "
              "ratio_cpu=%.3f min_ratio_cpu=%.3f goal=1.1 posts_before_end=%.0f rounds=%llu",
              INSTANCES, POSTS, bench_median(ratios, rounds), bench_percentile(ratios, rounds, 0),
              bench_median(before, rounds), (unsigned long long)rounds);
}

svs_runtime *offload_workers(void) {
    svs_runtime *workers;
    BENCH_OK(svs_runtime_new(NULL, &workers));
    BENCH_OK(svs_runtime_start(workers));
    return workers;
}

void offloads(svs_ranks *ranks, svs_runtime *workers, const settings *chosen) {
    double ns[KINDS], ratios[64], before[64];
    uint64_t sum = 0, before_end;
    cell item = {&sum};
    svs_world *world = NULL;
    svs_graph *graph = NULL;
    svs_task *task;
    if (svs_ranks_index(ranks) == 1) {
        BENCH_OK(svs_world_new(workers, NULL, &world));
        BENCH_OK(svs_graph_new(world, NULL, &graph));
        BENCH_OK(svs_graph_add_transform(graph, &cell_task, &item, NULL, &task));
    }
    for (uint64_t round = 0; round < chosen->rounds; round++) {
        for (kind what = GRAPH; what < KINDS; what++) {
            ns[what] = measure(ranks, graph, what, &before_end);
            if (what == BOTH_OF_THEM) before[round] = (double)before_end;
        }
        ratios[round] = ns[BOTH_OF_THEM] / (ns[GRAPH] + ns[RECORDS]);
    }
    if (graph == NULL) return;
    row(ratios, before, chosen->rounds);
    BENCH_OK(svs_graph_free(graph));
    BENCH_OK(svs_world_free(world));
}
