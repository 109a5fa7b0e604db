/* The queue of a stream: a ring that grows up to the largest capacity of its edges, and is released
 * when it is empty, if it has grown. So an idle graph keeps little memory. */
#include "structures/event/event.h"

#define FIRST_SIZE 2u

static uint32_t most_places(const svs_event_graph *graph, const svs__event_in *in) {
    uint32_t most = 0, stream = (uint32_t)(in - graph->ins);
    for (uint32_t i = in->first_edge; i < svs__event_edges_end(graph, stream); i++)
        if (svs__event_capacity(graph, i) > most) most = svs__event_capacity(graph, i);
    return most;
}

static void count_bytes(svs_event_graph *graph, uint32_t size) {
    graph->counts.bytes += (uint64_t)size * graph->kept_bytes;
    SVS__ASSERT(graph->counts.bytes <= graph->places * graph->kept_bytes); /* structures.E9 */
    if (graph->counts.bytes > graph->counts.bytes_most)
        graph->counts.bytes_most = graph->counts.bytes;
}

static size_t bytes_of(const svs_event_graph *graph, uint32_t size) {
    return sizeof(svs__event_queue) + (size_t)size * graph->kept_bytes;
}

void svs__event_queue_release(svs_event_graph *graph, svs__event_in *in) {
    if (in->queue == NULL) return;
    graph->counts.bytes -= (uint64_t)in->queue->size * graph->kept_bytes;
    graph->memory -= sizeof *in->queue;
    svs__release(&graph->allocator, in->queue, bytes_of(graph, in->queue->size),
                 SVS__ARRAY_ALIGNMENT);
    in->queue = NULL;
}

bool svs__event_queue_grow(svs_event_graph *graph, svs__event_in *in) {
    uint32_t most = most_places(graph, in), size = in->queue ? 2 * in->queue->size : FIRST_SIZE;
    uint32_t held = in->queue == NULL ? 0 : in->received - in->base;
    svs__event_queue *made;
    if (size > most) size = most;
    SVS__ASSERT(held < size); /* structures.E2 */
    made = svs__allocate(&graph->allocator, bytes_of(graph, size), SVS__ARRAY_ALIGNMENT);
    if (made == NULL) return false;
    made->head = 0;
    made->size = size;
    for (uint32_t i = 0; i < held; i++)
        memcpy(made->events + (size_t)i * graph->kept_bytes,
               svs__event_queue_at(graph, in, in->base + i), graph->kept_bytes);
    svs__event_queue_release(graph, in);
    in->queue = made;
    graph->memory += sizeof *made;
    count_bytes(graph, size);
    return true;
}

void svs__event_queue_shrink(svs_event_graph *graph, svs__event_in *in) {
    if (in->queue->size > FIRST_SIZE) svs__event_queue_release(graph, in);
}
