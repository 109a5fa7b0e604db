/* Over ranks, by a bipartite graph. */
#include "em3d.h"

#include <string.h>

typedef struct walk {
    svs_thread thread;
    em3d_run *of;
    svs_bipartite *graph;
    svs_distributed *object;
    svs_counter done;
    int64_t calls;
    uint64_t step, begun, cpu_begun;
    svs_ranks_statistics before;
    uint64_t sums[2]; /* processor time, idle time */
} walk;

svs_status em3d_fill_part(svs_ranks *ranks, svs_bipartite *graph, const void *argument) {
    const em3d_shape *shape = ((const em3d_filling *)argument)->shape;
    const em3d_part *part = ((const em3d_filling *)argument)->part;
    uint32_t count = em3d_count(shape), degree = (uint32_t)shape->degree;
    uint32_t rank = svs_ranks_index(ranks);
    svs_status status = SVS_OK;
    for (int c = 0; c < EM3D_COLOURS; c++)
        for (uint32_t i = 0; i < count && status == SVS_OK; i++)
            status =
                svs_bipartite_add_node(graph, (svs_bipartite_colour)c, &part->values[c][i], NULL);
    for (int c = 0; c < EM3D_COLOURS; c++)
        for (uint32_t i = 0; i < count * degree && status == SVS_OK; i++) {
            const em3d_edge *edge = &part->edges[c][i];
            svs_bipartite_node from = {edge->rank, edge->index, (svs_bipartite_colour)!c};
            svs_bipartite_node to = {rank, i / degree, (svs_bipartite_colour)c};
            status = svs_bipartite_add_edge(graph, from, to, edge->weight);
        }
    return status;
}

static void compute(walk *me, svs_bipartite_colour colour) {
    svs_bipartite_rows rows = svs_bipartite_rows_get(me->graph, colour);
    double *values = rows.states;
    for (uint32_t i = 0; i < rows.count; i++) {
        double value = values[i];
        for (uint32_t k = rows.first[i]; k < rows.first[i + 1]; k++)
            value -= rows.edges[k].weight * *(const double *)rows.edges[k].source;
        values[i] = value;
    }
}

static svs_status begin(walk *me, svs_status status) {
    me->calls++;
    return status == SVS_WAIT ? SVS_OK : status;
}

static void sum(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

static svs_status begin_steps(svs_ranks *ranks, walk *me) {
    svs_status status = svs_ranks_statistics_get(ranks, &me->before);
    me->cpu_begun = bench_thread_cpu_ns();
    me->begun = bench_wall_ns();
    return status;
}

static svs_status end_steps(svs_ranks *ranks, walk *me) {
    svs_ranks_statistics now;
    svs_status status = svs_ranks_statistics_get(ranks, &now);
    if (status != SVS_OK) return status;
    me->of->result.ns = bench_wall_ns() - me->begun;
    me->sums[0] = bench_thread_cpu_ns() - me->cpu_begun;
    me->sums[1] = now.idle_ns - me->before.idle_ns;
    return begin(me,
                 svs_reduce(me->object, sum, me->sums, me->sums, sizeof(uint64_t), 2, &me->done));
}

static svs_status run(svs_ranks *ranks, void *state) {
    walk *me = state;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    status = begin(me, svs_bipartite_connect(me->graph, &me->done));
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &me->done, me->calls);
    if (svs_distributed_find(ranks, "em3d", 0) == NULL) {
        status = begin(me, svs_distributed_new(ranks, "em3d", 0, me->of, &me->object, &me->done));
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->done, me->calls);
    }
    me->object = svs_distributed_find(ranks, "em3d", 0);
    status = begin(me, svs_bipartite_validate(me->graph, SVS_BIPARTITE_BLACK, &me->done));
    if (status == SVS_OK) status = begin(me, svs_barrier(me->object, &me->done));
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &me->done, me->calls);
    status = begin_steps(ranks, me);
    if (status != SVS_OK) return status;
    for (; me->step < me->of->steps; me->step++) {
        compute(me, SVS_BIPARTITE_RED);
        status = begin(me, svs_bipartite_validate(me->graph, SVS_BIPARTITE_RED, &me->done));
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->done, me->calls);
        compute(me, SVS_BIPARTITE_BLACK);
        status = begin(me, svs_bipartite_validate(me->graph, SVS_BIPARTITE_BLACK, &me->done));
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->done, me->calls);
    }
    status = begin(me, svs_barrier(me->object, &me->done));
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &me->done, me->calls);
    status = end_steps(ranks, me);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &me->done, me->calls);
    SVS_THREAD_END;
}

svs_status em3d_ranks(svs_ranks *ranks, em3d_run *of) {
    walk me = {.of = of};
    svs_bipartite_options options;
    svs_bipartite_statistics counts;
    svs_status status;
    svs_bipartite_options_init(&options);
    options.name = of->name;
    options.node_bytes = sizeof(double);
    status = svs_bipartite_new(ranks, &options, &me.graph);
    if (status == SVS_OK) status = of->fill(ranks, me.graph, of->argument);
    if (status == SVS_OK) status = svs_ranks_run(ranks, run, &me);
    if (status == SVS_OK) status = svs_bipartite_statistics_get(me.graph, &counts);
    if (status != SVS_OK) return status;
    for (int c = 0; c < EM3D_COLOURS; c++) {
        svs_bipartite_rows rows = svs_bipartite_rows_get(me.graph, (svs_bipartite_colour)c);
        if (rows.count != 0) memcpy(of->values[c], rows.states, rows.count * sizeof(double));
    }
    of->result.cpu_ns = me.sums[0];
    of->result.idle_ns = me.sums[1];
    of->result.messages = counts.messages;
    of->result.bytes = counts.bytes;
    of->result.early = counts.early;
    of->result.ghosts = counts.ghosts;
    return SVS_OK;
}
