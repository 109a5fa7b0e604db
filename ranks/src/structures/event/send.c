/* Sends, promises and returned places; and the outbox, which keeps records that cannot be posted
 * yet.
 *
 * A send first looks for a place on each stream, and then sends on all (structures.E3). If a post
 * must wait for credit, the send is not undone: the record is kept in the outbox, where events take
 * at most the bytes that the edges could hold (structures.E2). Promises and returned places are not
 * kept as records: their streams are listed, and the record is made when it is posted, by a fiber
 * that runs after those that are enabled now. So newer ones replace older ones. */
#include "structures/event/event.h"
#include <string.h>

#define LISTED_MOST 4096u /* most streams of a list whose memory is kept */

SVS__COLD void svs__event_no_memory(svs_event_graph *graph) {
    (void)svs_structure_fail(graph->structure, SVS_E_NO_MEMORY, "there is no memory for events");
}

/* ---- outbox ---- */

static svs_status post_record(svs_event_graph *graph, uint32_t to, uint32_t handler,
                              const void *record, uint32_t bytes) {
    svs_status status = svs_post(graph->ranks, to, graph->handlers[handler], record, bytes);
    if (status == SVS_OK && handler != SVS__EVENT_HANDLE_MESSAGE) graph->idle.created++;
    return status;
}

static void free_first(svs_event_graph *graph, svs__event_outbox *box) {
    svs__event_parcel *first = box->first;
    box->first = first->next;
    svs__release(&graph->allocator, first, sizeof *first + first->bytes, SVS__ARRAY_ALIGNMENT);
}

static svs_status post_parcels(svs_event_graph *graph, uint32_t to) {
    svs__event_outbox *box = &graph->boxes[to];
    while (box->first != NULL) {
        svs_status status =
            post_record(graph, to, box->first->handler, box->first->record, box->first->bytes);
        if (status != SVS_OK) return status;
        free_first(graph, box);
    }
    return SVS_OK;
}

static svs_status post_null(svs_event_graph *graph, uint32_t to, uint32_t stream) {
    svs__event_out *out = &graph->outs[stream];
    svs__event_null record = {out->in, 0, graph->nodes[out->node].promised};
    svs_status status;
    if (!out->behind) { /* an event sent since has told the promise */
        svs_mutation_end(graph->snapshot, 1, SVS_NO_EPOCH);
        out->dirty = 0;
        graph->counts.replaced++;
        return SVS_OK;
    }
    status = post_record(graph, to, SVS__EVENT_HANDLE_NULL, &record, sizeof record);
    if (status != SVS_OK) return status;
    out->dirty = out->behind = 0;
    graph->counts.nulls++;
    return SVS_OK;
}

/* The least of the limits of a stream's edges. */
static uint32_t limit_of_uneven(const svs_event_graph *graph, uint32_t stream) {
    const svs__event_in *in = &graph->ins[stream];
    uint32_t end = svs__event_edges_end(graph, stream), least = UINT32_MAX;
    for (uint32_t i = in->first_edge; i < end; i++) {
        uint32_t ahead = graph->edges[i].removed - in->base + svs__event_capacity(graph, i);
        if (ahead < least) least = ahead;
    }
    return in->base + least;
}

/* The limit of a stream: the number of events that its source may send in all. */
static inline uint32_t limit_of(const svs_event_graph *graph, uint32_t stream) {
    const svs__event_in *in = &graph->ins[stream];
    if (!in->uneven) return in->base + svs__event_capacity(graph, in->first_edge);
    return limit_of_uneven(graph, stream);
}

static svs_status post_space(svs_event_graph *graph, uint32_t to, uint32_t stream) {
    svs__event_in *in = &graph->ins[stream];
    svs__event_space record = {in->out, limit_of(graph, stream)};
    svs_status status = post_record(graph, to, SVS__EVENT_HANDLE_SPACE, &record, sizeof record);
    if (status != SVS_OK) return status;
    in->dirty = 0;
    in->told = record.limit;
    graph->counts.spaces++;
    return SVS_OK;
}

typedef svs_status post_function(svs_event_graph *graph, uint32_t to, uint32_t stream);

static svs_status post_list(svs_event_graph *graph, uint32_t to, svs__event_list *list,
                            post_function *post) {
    while (list->done < list->count) {
        svs_status status = post(graph, to, list->of[list->done]);
        if (status != SVS_OK) return status;
        list->done++;
    }
    list->count = list->done = 0;
    if (list->capacity > LISTED_MOST) { /* of a burst: an idle graph keeps little memory */
        svs__array_release(&graph->allocator, list->of, list->capacity, sizeof *list->of);
        *list = (svs__event_list){0};
    }
    return SVS_OK;
}

typedef struct posting {
    svs_event_graph *graph;
    uint32_t to;
} posting;

/* Function of a fiber that posts all records of an outbox. */
static svs_status post_all(svs_ranks *ranks, void *state) {
    posting me = *(posting *)state;
    svs__event_outbox *box = &me.graph->boxes[me.to];
    svs_fiber rest;
    svs_status status = post_parcels(me.graph, me.to);
    if (status == SVS_OK) status = post_list(me.graph, me.to, &box->nulls, post_null);
    if (status == SVS_OK) status = post_list(me.graph, me.to, &box->spaces, post_space);
    if (status == SVS_OK) box->posting = false;
    if (status != SVS_WAIT) return status;
    status = svs_fiber_continue(ranks, post_all, &rest);
    return status == SVS_OK ? svs_post_ready(ranks, me.to, rest) : status;
}

void svs__event_tell_places(svs_event_graph *graph, uint32_t to) {
    if (to != graph->index && graph->boxes[to].first == NULL)
        (void)post_list(graph, to, &graph->boxes[to].spaces, post_space);
}

static void post_soon(svs_event_graph *graph, uint32_t to) {
    posting state = {graph, to};
    svs_fiber fiber;
    svs_status status;
    if (graph->boxes[to].posting) return;
    status = svs_fiber_new(graph->ranks, post_all, &state, sizeof state, NULL, &fiber);
    if (status == SVS_OK) status = svs_fiber_enable(graph->ranks, fiber);
    if (status == SVS_OK) graph->boxes[to].posting = true;
    else svs__event_no_memory(graph);
}

static bool put_parcel(svs_event_graph *graph, uint32_t to, uint32_t handler, const void *record,
                       uint32_t bytes) {
    svs__event_outbox *box = &graph->boxes[to];
    svs__event_parcel *made =
        svs__allocate(&graph->allocator, sizeof *made + bytes, SVS__ARRAY_ALIGNMENT);
    if (made == NULL) return false;
    *made = (svs__event_parcel){.handler = handler, .bytes = bytes};
    memcpy(made->record, record, bytes);
    if (box->first == NULL) box->first = made;
    else box->last->next = made;
    box->last = made;
    return true;
}

svs_status svs__event_post(svs_event_graph *graph, uint32_t to, uint32_t handler,
                           const void *record, uint32_t bytes) {
    svs_status status = SVS_WAIT;
    if (graph->boxes[to].first == NULL) status = post_record(graph, to, handler, record, bytes);
    if (status != SVS_WAIT) return status;
    if (!put_parcel(graph, to, handler, record, bytes)) return SVS_E_NO_MEMORY;
    post_soon(graph, to);
    return SVS_OK;
}

/* Lists a stream in the outbox, and begins the mutation of its record. The mutation is a nested
 * one, because a handler of another mutation may be running. */
static void list_stream(svs_event_graph *graph, uint32_t to, svs__event_list *list,
                        uint32_t stream) {
    svs_mutation_nested(graph->snapshot, 1, SVS_NO_EPOCH);
    if (!svs__grow(&graph->allocator, (void **)&list->of, &list->capacity, list->count + 1,
                   sizeof *list->of)) {
        svs__event_no_memory(graph);
        return;
    }
    list->of[list->count++] = stream;
    post_soon(graph, to);
}

void svs__event_outbox_release(svs_event_graph *graph) {
    if (graph->boxes == NULL) return;
    for (uint32_t i = 0; i < graph->count; i++) {
        svs__event_outbox *box = &graph->boxes[i];
        while (box->first != NULL) free_first(graph, box);
        svs__array_release(&graph->allocator, box->nulls.of, box->nulls.capacity, 4);
        svs__array_release(&graph->allocator, box->spaces.of, box->spaces.capacity, 4);
    }
}

/* ---- sends ---- */

static uint32_t outs_end(const svs__event_node *node) { return node[1].first_out; }

bool svs__event_has_space(const svs_event_graph *graph, const svs__event_node *node) {
    for (uint32_t i = node->first_out; i < outs_end(node); i++)
        if (graph->outs[i].sent == graph->outs[i].limit) return false;
    return true;
}

static svs_status send_on(svs_event_graph *graph, svs__event_out *out, const void *event) {
    svs__event_record *record = graph->scratch;
    SVS__ASSERT((int32_t)(out->limit - out->sent) > 0); /* structures.E2 */
    out->sent++;
    out->behind = 0; /* the event tells the last promise of the node as well */
    if (out->rank == graph->index) {
        svs__event_arrive(graph, out->in, event);
        return SVS_OK;
    }
    graph->counts.records++;
    svs_mutation_nested(graph->snapshot, 1, SVS_NO_EPOCH);
    record->stream = out->in;
    memcpy(record->event, event, graph->options.event_bytes);
    return svs__event_post(graph, out->rank, SVS__EVENT_HANDLE_EVENT, record,
                           (uint32_t)sizeof *record + graph->kept_bytes);
}

svs_status svs__event_send(svs_event_graph *graph, uint32_t local, const void *event) {
    svs__event_node *node = &graph->nodes[local];
    svs_status status = SVS_OK;
    SVS__ASSERT(svs__event_is_open(graph) && svs__event_has_space(graph, node)); /* structures.E3 */
    if (graph->options.timed) node->promised = svs__event_time(event) + 1;
    graph->counts.sends++;
    for (uint32_t i = node->first_out; i < outs_end(node) && status == SVS_OK; i++)
        status = send_on(graph, &graph->outs[i], event);
    if (status == SVS_E_NO_MEMORY) svs__event_no_memory(graph);
    return status;
}

/* ---- promises ---- */

svs_status svs__event_promise(svs_event_graph *graph, uint32_t local, int64_t time) {
    svs__event_node *node = &graph->nodes[local];
    if (time <= node->promised) return SVS_OK;
    node->promised = time;
    if (!(graph->options.cures & SVS_EVENT_NULLS)) return SVS_OK;
    for (uint32_t i = node->first_out; i < outs_end(node); i++) {
        svs__event_out *out = &graph->outs[i];
        if (out->rank == graph->index) {
            svs__event_raise(graph, out->in, time);
            continue;
        }
        out->behind = 1;
        if (out->dirty) {
            graph->counts.replaced++;
        } else {
            out->dirty = 1;
            list_stream(graph, out->rank, &graph->boxes[out->rank].nulls, i);
        }
    }
    return SVS_OK;
}

/* ---- returned places ---- */

static void return_here(svs_event_graph *graph, svs__event_in *in, uint32_t limit) {
    svs__event_out *out = &graph->outs[in->out];
    if (limit == in->told) return;
    in->told = out->limit = limit;
    svs__event_tell_writer(graph, out->node);
}

/* A source on another rank is not told of each place. It is told when it has at most half of its
 * places left, which the receiver knows from the events that have come. So a source does not wait
 * while there is a place. */
void svs__event_return(svs_event_graph *graph, uint32_t stream) {
    svs__event_in *in = &graph->ins[stream];
    uint32_t limit = limit_of(graph, stream);
    if (in->rank == graph->index) return_here(graph, in, limit);
    else if (!in->dirty && limit != in->told &&
             2 * (in->told - in->received) <= svs__event_capacity(graph, in->first_edge)) {
        in->dirty = 1;
        list_stream(graph, in->rank, &graph->boxes[in->rank].spaces, stream);
    }
}
