/* The queue of a stream: a ring that grows up to the largest capacity of its edges, and is released
 * when it is empty, if it has grown: so an idle graph keeps little. */
#include "structures/event/event.h"

#define FIRST_SIZE 2u

static uint32_t most_places(const svs_event_graph *graph, const svs__event_in *in) {
    uint32_t most = 0, stream = (uint32_t)(in - graph->ins);
    for (uint32_t i = in->first_edge; i < svs__event_edges_end(graph, stream); i++)
        if (graph->edges[i].capacity > most) most = graph->edges[i].capacity;
    return most;
}

static void count_bytes(svs_event_graph *graph, uint32_t size) {
    graph->counts.bytes += (uint64_t)size * graph->kept_bytes;
    SVS__ASSERT(graph->counts.bytes <= graph->places * graph->kept_bytes); /* structures.E9 */
    if (graph->counts.bytes > graph->counts.bytes_most)
        graph->counts.bytes_most = graph->counts.bytes;
}

void svs__event_queue_release(svs_event_graph *graph, svs__event_in *in) {
    if (in->events == NULL) return;
    svs__release(&graph->allocator, in->events, (size_t)in->size * graph->kept_bytes,
                 SVS__ARRAY_ALIGNMENT);
    graph->counts.bytes -= (uint64_t)in->size * graph->kept_bytes;
    in->events = NULL;
    in->size = in->head = 0;
}

bool svs__event_queue_grow(svs_event_graph *graph, svs__event_in *in) {
    uint32_t most = most_places(graph, in), size = in->size == 0 ? FIRST_SIZE : 8 * in->size;
    uint32_t held = in->received - in->base;
    unsigned char *events;
    if (size > most) size = most;
    SVS__ASSERT(held < size); /* structures.E2 */
    events =
        svs__allocate(&graph->allocator, (size_t)size * graph->kept_bytes, SVS__ARRAY_ALIGNMENT);
    if (events == NULL) return false;
    for (uint32_t i = 0; i < held; i++)
        memcpy(events + (size_t)i * graph->kept_bytes, svs__event_queue_at(graph, in, in->base + i),
               graph->kept_bytes);
    svs__event_queue_release(graph, in);
    in->events = events;
    in->size = size;
    count_bytes(graph, size);
    return true;
}

void svs__event_queue_shrink(svs_event_graph *graph, svs__event_in *in) {
    if (in->size > FIRST_SIZE) svs__event_queue_release(graph, in);
}
