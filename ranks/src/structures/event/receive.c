/* Arrival and removal of events. */
#include "structures/event/event.h"
#include <string.h>

SVS__COLD void svs__event_malformed(svs_event_graph *graph, const char *why) {
    (void)svs_structure_fail(graph->structure, SVS_E_RECORD, why);
}

void svs__event_raise(svs_event_graph *graph, uint32_t stream, int64_t clock) {
    svs__event_in *in = &graph->ins[stream];
    uint32_t end = svs__event_edges_end(graph, stream);
    SVS__ASSERT(clock > in->clock); /* structures.E6 */
    in->clock = clock;
    for (uint32_t i = in->first_edge; i < end; i++)
        if (graph->edges[i].removed == in->received)
            svs__event_tell_reader(graph, &graph->edges[i], true);
}

/* ---- handlers ---- */

static uint32_t record_bytes(const svs_event_graph *graph) {
    return (uint32_t)sizeof(svs__event_record) + graph->kept_bytes;
}

static void take_event(svs_event_graph *graph, const svs__event_record *record) {
    graph->idle.run++;
    if (record->stream >= graph->in_count) {
        svs__event_malformed(graph, "an event of a stream that does not exist");
        return;
    }
    if (graph->ins[record->stream].received == graph->ins[record->stream].told) {
        svs__event_malformed(graph, "an event that has no place");
        return;
    }
    svs__event_arrive(graph, record->stream, record->event);
    svs__event_return(graph, record->stream);
}

void svs__event_take_events(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_event_graph *graph = part;
    (void)ranks;
    svs__event_stir(graph);
    for (uint32_t i = 0; i < count; i++)
        take_event(graph, (const void *)((const char *)records + (size_t)i * record_bytes(graph)));
    svs_mutation_end(graph->snapshot, count, SVS_NO_EPOCH);
}

void svs__event_take_nulls(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_event_graph *graph = part;
    const svs__event_null *all = records;
    (void)ranks;
    svs__event_stir(graph);
    graph->idle.run += count;
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].stream >= graph->in_count || all[i].clock <= graph->ins[all[i].stream].clock) {
            svs__event_malformed(graph, "a null message of no stream, or of an older time");
            return;
        }
        svs__event_raise(graph, all[i].stream, all[i].clock);
    }
    svs_mutation_end(graph->snapshot, count, SVS_NO_EPOCH);
}

void svs__event_take_spaces(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_event_graph *graph = part;
    const svs__event_space *all = records;
    (void)ranks;
    svs__event_stir(graph);
    graph->idle.run += count;
    for (uint32_t i = 0; i < count; i++) {
        svs__event_out *out = &graph->outs[all[i].stream];
        if (all[i].stream >= graph->out_count || (int32_t)(all[i].limit - out->limit) <= 0) {
            svs__event_malformed(graph, "places that were not taken are returned");
            return;
        }
        out->limit = all[i].limit;
        svs__event_tell_writer(graph, out->node);
    }
    svs_mutation_end(graph->snapshot, count, SVS_NO_EPOCH);
}

svs_status svs__event_run_event(svs_ranks *ranks, void *record) {
    svs__event_take_events(ranks, svs_structure_part(ranks), record, 1);
    return SVS_OK;
}

svs_status svs__event_run_null(svs_ranks *ranks, void *record) {
    svs__event_take_nulls(ranks, svs_structure_part(ranks), record, 1);
    return SVS_OK;
}

svs_status svs__event_run_space(svs_ranks *ranks, void *record) {
    svs__event_take_spaces(ranks, svs_structure_part(ranks), record, 1);
    return SVS_OK;
}

/* ---- removal ---- */

/* Drops the events that all edges of the stream have removed, and sets `base` to the next one. */
static void find_base(svs_event_graph *graph, uint32_t stream) {
    svs__event_in *in = &graph->ins[stream];
    uint32_t end = svs__event_edges_end(graph, stream), least = UINT32_MAX, edges = 0;
    for (uint32_t i = in->first_edge; i < end; i++) {
        uint32_t ahead = graph->edges[i].removed - in->base;
        if (ahead == least) edges++;
        if (ahead >= least) continue;
        least = ahead;
        edges = 1;
    }
    in->at_base = edges;
    svs__event_queue_drop(graph, in, in->base + least);
}

void svs__event_remove(svs_event_graph *graph, uint32_t slot, uint32_t count) {
    svs__event_edge *edge = &graph->edges[slot];
    svs__event_in *in = &graph->ins[edge->stream];
    bool at_base = edge->removed == in->base;
    SVS__ASSERT(count <= svs__event_held(graph, edge)); /* structures.E1 */
    if (count == 0) return;
    edge->removed += count;
    if (edge->fresh && edge->removed == in->received) svs__event_forget_news(graph, edge, true);
    if (in[1].first_edge - in->first_edge == 1) svs__event_queue_drop(graph, in, edge->removed);
    else if (at_base && --in->at_base == 0) find_base(graph, edge->stream);
    else if (!in->uneven) return;
    svs__event_return(graph, edge->stream);
}

/* Cures a deadlock: the edge gets twice the capacity. */
void svs__event_grow(svs_event_graph *graph, uint32_t slot) {
    uint32_t stream = graph->edges[slot].stream, capacity = svs__event_capacity(graph, slot);
    uint32_t end = svs__event_edges_end(graph, stream);
    svs__event_in *in = &graph->ins[stream];
    if (capacity > SVS_EVENT_CAPACITY_MAX / 2) return;
    if (!svs__event_capacities_make(graph)) {
        svs__event_no_memory(graph);
        return;
    }
    graph->places += capacity;
    graph->capacities[slot] = 2 * capacity;
    graph->counts.growths++;
    in->uneven = 0;
    for (uint32_t i = in->first_edge; i < end; i++)
        in->uneven |= graph->capacities[i] != 2 * capacity;
    svs__event_return(graph, stream);
}
