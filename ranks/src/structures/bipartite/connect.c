/* Connects the subgraphs of all ranks: finds the ghosts, tells the ranks of their sources, and
 * makes the layout of messages (the inspector). */
#include "structures/bipartite/bipartite.h"
#include <stdlib.h>
#include <string.h>
#include <svs/ranks/thread.h>

typedef struct connection {
    svs_thread thread;
    svs_bipartite *graph;
    svs_counter steps;
    svs_counter *done;
} connection;

static svs_status fail(const svs_bipartite *graph, svs_status status, const char *why) {
    return svs_structure_fail(graph->structure, status, why);
}

/* ---- peers ---- */

svs__bipartite_peer *svs__bipartite_peer_of(svs_bipartite *graph, svs_bipartite_colour colour,
                                            uint32_t rank) {
    svs__bipartite_side *side = &graph->sides[colour];
    uint32_t at = 0;
    while (at < side->peer_count && side->peers[at].rank < rank) at++;
    if (at < side->peer_count && side->peers[at].rank == rank) return &side->peers[at];
    if (!svs__grow(&graph->allocator, (void **)&side->peers, &side->peers_capacity,
                   side->peer_count + 1, sizeof *side->peers))
        return NULL;
    memmove(&side->peers[at + 1], &side->peers[at], (side->peer_count - at) * sizeof *side->peers);
    side->peers[at] = (svs__bipartite_peer){.rank = rank};
    side->peer_count++;
    graph->statistics.peers++;
    return &side->peers[at];
}

/* ---- ghosts: the sources on other ranks, sorted by rank and number, each once ---- */

static int compare(const void *left, const void *right) {
    const svs_bipartite_node *one = left, *other = right;
    if (one->rank != other->rank) return one->rank < other->rank ? -1 : 1;
    return one->index < other->index ? -1 : one->index > other->index;
}

/* Finds the ghosts of colour `of`: the sources of this rank's edges that are on other ranks. */
static svs_status find_ghosts(svs_bipartite *graph, svs_bipartite_colour of) {
    svs__bipartite_side *side = &graph->sides[of];
    const svs__bipartite_side *other = &graph->sides[!of];
    uint32_t count = 0;
    for (uint32_t i = 0; i < other->link_count; i++) {
        if (other->links[i].from.rank == graph->index) continue;
        if (!svs__grow(&graph->allocator, (void **)&side->ghosts, &side->ghosts_capacity, count + 1,
                       sizeof *side->ghosts))
            return SVS_E_NO_MEMORY;
        side->ghosts[count++] = other->links[i].from;
    }
    if (count == 0) return SVS_OK;
    qsort(side->ghosts, count, sizeof *side->ghosts, compare);
    side->ghost_count = 1;
    for (uint32_t i = 1; i < count; i++)
        if (compare(&side->ghosts[i], &side->ghosts[side->ghost_count - 1]) != 0)
            side->ghosts[side->ghost_count++] = side->ghosts[i];
    graph->statistics.ghosts += side->ghost_count;
    return SVS_OK;
}

/* A record of at least `bytes`. @return NULL: no memory. */
static svs__bipartite_record *record_for(svs_bipartite *graph, size_t bytes) {
    if (bytes > graph->scratch_bytes) {
        svs__release(&graph->allocator, graph->scratch, graph->scratch_bytes, 16);
        graph->scratch = svs__allocate_zeroed(&graph->allocator, bytes, 16);
        graph->scratch_bytes = graph->scratch == NULL ? 0 : bytes;
    }
    return graph->scratch;
}

static uint32_t want_bytes(uint32_t count) {
    return (uint32_t)sizeof(svs__bipartite_record) + ((count + 1) & ~1u) * 4;
}

/* Tells a rank which of its nodes have ghosts on this rank. */
static svs_status want(svs_bipartite *graph, svs_bipartite_colour colour, uint32_t first,
                       uint32_t count) {
    const svs_bipartite_node *ghosts = graph->sides[colour].ghosts + first;
    svs__bipartite_peer *peer = svs__bipartite_peer_of(graph, colour, ghosts[0].rank);
    svs__bipartite_record *record = record_for(graph, want_bytes(count));
    if (peer == NULL || record == NULL) return SVS_E_NO_MEMORY;
    peer->ghosts_first = first;
    peer->ghosts_count = count;
    *record = (svs__bipartite_record){graph->index, (uint32_t)colour, 0, count};
    for (uint32_t i = 0; i < count; i++) ((uint32_t *)(void *)record->data)[i] = ghosts[i].index;
    return svs__outbox_post(&graph->outbox, ghosts[0].rank,
                            svs_structure_handler(graph->structure, SVS__BIPARTITE_WANT), record,
                            want_bytes(count), 0);
}

static svs_status want_all(svs_bipartite *graph, svs_bipartite_colour colour) {
    const svs__bipartite_side *side = &graph->sides[colour];
    svs_status status = SVS_OK;
    for (uint32_t first = 0, end; first < side->ghost_count && status == SVS_OK; first = end) {
        end = first + 1;
        while (end < side->ghost_count && side->ghosts[end].rank == side->ghosts[first].rank) end++;
        status = want(graph, colour, first, end - first);
    }
    return status;
}

/* Notes which nodes of this rank have ghosts at another rank. Their numbers are checked later, when
 * all nodes were added. */
void svs__bipartite_take_wants(svs_ranks *ranks, void *part, const void *data, uint32_t bytes) {
    svs_bipartite *graph = part;
    const svs__bipartite_record *record = data;
    svs__bipartite_peer *peer;
    (void)ranks;
    if (bytes < sizeof *record || record->from >= graph->count || record->colour > 1 ||
        record->count > bytes / 4 || want_bytes(record->count) != bytes) {
        (void)fail(graph, SVS_E_RECORD, "a list of ghosts is malformed");
        return;
    }
    svs_mutation_end(graph->outbox.snapshot, 1, SVS_NO_EPOCH);
    peer = svs__bipartite_peer_of(graph, (svs_bipartite_colour)record->colour, record->from);
    if (peer != NULL && peer->sent != NULL) {
        (void)fail(graph, SVS_E_RECORD, "a rank has sent two lists of ghosts");
        return;
    }
    if (peer != NULL)
        peer->sent = svs__allocate(&graph->allocator, record->count * sizeof *peer->sent, 16);
    if (peer == NULL || peer->sent == NULL) {
        (void)fail(graph, SVS_E_NO_MEMORY, "there is no memory for a list of ghosts");
        return;
    }
    peer->sent_count = record->count;
    memcpy(peer->sent, record->data, record->count * sizeof *peer->sent);
}

/* ---- the connected graph ---- */

static svs_status check_sent(const svs_bipartite *graph, const svs__bipartite_side *side) {
    for (uint32_t i = 0; i < side->peer_count; i++)
        for (uint32_t k = 0; k < side->peers[i].sent_count; k++)
            if (side->peers[i].sent[k] >= side->count)
                return fail(graph, SVS_E_INVALID,
                            "an edge comes from a node of this rank that is not there: add all "
                            "nodes before the graph is connected");
    return SVS_OK;
}

/* Makes room for ghosts after the states, and for the largest record. */
static svs_status make_room(svs_bipartite *graph, svs__bipartite_side *side) {
    uint32_t all = side->count + side->ghost_count, most = 0;
    if (all != 0 && !svs__grow(&graph->allocator, (void **)&side->states, &side->states_capacity,
                               all, graph->node_bytes))
        return SVS_E_NO_MEMORY;
    if (side->ghost_count != 0) {
        side->early = svs__allocate_zeroed(&graph->allocator,
                                           (size_t)side->ghost_count * graph->node_bytes, 16);
        if (side->early == NULL) return SVS_E_NO_MEMORY;
    }
    for (uint32_t i = 0; i < side->peer_count; i++)
        if (side->peers[i].sent_count > most) most = side->peers[i].sent_count;
    return record_for(graph, svs__bipartite_bytes(graph, most)) != NULL ? SVS_OK : SVS_E_NO_MEMORY;
}

static const void *source_of(const svs_bipartite *graph, const svs_bipartite_node *from) {
    const svs__bipartite_side *side = &graph->sides[from->colour];
    size_t at = from->index;
    if (from->rank != graph->index) {
        const svs_bipartite_node *ghost =
            bsearch(from, side->ghosts, side->ghost_count, sizeof *side->ghosts, compare);
        at = side->count + (size_t)(ghost - side->ghosts);
    }
    return side->states + at * graph->node_bytes;
}

/* Sorts the edges by the node that they lead to; edges of one node keep the order in which they
 * were added. */
static svs_status make_edges(svs_bipartite *graph, svs__bipartite_side *side) {
    uint32_t *first =
        svs__allocate_zeroed(&graph->allocator, (side->count + 1) * sizeof *first, 16);
    side->edges_first = first;
    if (side->link_count != 0)
        side->edges = svs__allocate(&graph->allocator, side->link_count * sizeof *side->edges, 16);
    if (first == NULL || (side->link_count != 0 && side->edges == NULL)) return SVS_E_NO_MEMORY;
    for (uint32_t i = 0; i < side->link_count; i++) first[side->links[i].to]++;
    for (uint32_t i = 0, sum = 0; i <= side->count; i++) {
        uint32_t mine = first[i];
        first[i] = sum;
        sum += mine;
    }
    for (uint32_t i = 0; i < side->link_count; i++) {
        const svs__bipartite_link *link = &side->links[i];
        side->edges[first[link->to]++] =
            (svs_bipartite_edge){link->weight, source_of(graph, &link->from)};
    }
    memmove(first + 1, first, side->count * sizeof *first);
    first[0] = 0;
    return SVS_OK;
}

static svs_status check_local(const svs_bipartite *graph, const svs__bipartite_side *side) {
    for (uint32_t i = 0; i < side->link_count; i++) {
        const svs_bipartite_node *from = &side->links[i].from;
        if (from->rank == graph->index && from->index >= graph->sides[from->colour].count)
            return fail(graph, SVS_E_INVALID,
                        "an edge comes from a node of its own rank that is not there: add all "
                        "nodes before the graph is connected");
    }
    return SVS_OK;
}

static svs_status finish(svs_bipartite *graph) {
    svs_status status = SVS_OK;
    for (int i = 0; i < SVS__BIPARTITE_COLOURS && status == SVS_OK; i++) {
        status = check_sent(graph, &graph->sides[i]);
        if (status == SVS_OK) status = check_local(graph, &graph->sides[i]);
        if (status == SVS_OK) status = make_room(graph, &graph->sides[i]);
    }
    for (int i = 0; i < SVS__BIPARTITE_COLOURS && status == SVS_OK; i++)
        status = make_edges(graph, &graph->sides[i]);
    return status;
}

/* ---- the steps ---- */

static svs_status begin(svs_bipartite *graph) {
    svs_status status = SVS_OK;
    for (int i = 0; i < SVS__BIPARTITE_COLOURS && status == SVS_OK; i++) {
        status = find_ghosts(graph, (svs_bipartite_colour)i);
        if (status == SVS_OK) status = want_all(graph, (svs_bipartite_colour)i);
    }
    return status;
}

/* Connects: sends the lists of ghosts; then a sync, after which all lists have come; and a barrier,
 * so that no state comes before there is room for it. The sync would not wait for a list in the
 * outbox, so it begins after the outbox is empty. */
static svs_status connect_it(svs_ranks *ranks, void *state) {
    connection *me = state;
    svs_bipartite *graph = me->graph;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    status = begin(graph);
    while (status == SVS_OK && graph->outbox.first != NULL) {
        svs_fiber rest;
        me->thread.line = UINT32_MAX;
        status = svs_fiber_continue(ranks, connect_it, &rest);
        return status == SVS_OK ? svs_fiber_enable(ranks, rest) : status;
    case UINT32_MAX: status = SVS_OK;
    }
    if (status != SVS_OK) return status;
    status = svs_snapshot_sync(graph->outbox.snapshot, &me->steps);
    if (status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, me, &me->steps, 1);
    status = finish(graph);
    if (status == SVS_OK) status = svs_barrier(svs_structure_object(graph->structure), &me->steps);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, me, &me->steps, 2);
    graph->state = SVS__BIPARTITE_CONNECTED;
    svs_counter_add(ranks, me->done, 1);
    SVS_THREAD_END;
}

svs_status svs_bipartite_connect(svs_bipartite *graph, svs_counter *done) {
    connection begun = {.graph = graph, .done = done};
    svs_fiber fiber;
    svs_status status;
    if (graph == NULL || done == NULL)
        return svs_ranks_refuse(graph == NULL ? NULL : graph->ranks, SVS_E_NULL,
                                "svs_bipartite_connect: graph or done is NULL: pass both");
    if (!svs_ranks_in_run(graph->ranks))
        return svs_ranks_refuse(graph->ranks, SVS_E_OUTSIDE,
                                "svs_bipartite_connect: there is no run: connect in a fiber");
    if (graph->state != SVS__BIPARTITE_BUILT)
        return svs_ranks_refuse(
            graph->ranks, SVS_E_STATE,
            "svs_bipartite_connect: the graph is connected already: connect it once");
    status = svs_fiber_new(graph->ranks, connect_it, &begun, sizeof begun, NULL, &fiber);
    if (status != SVS_OK) return status;
    graph->state = SVS__BIPARTITE_CONNECTING;
    status = svs_fiber_enable(graph->ranks, fiber);
    return status == SVS_OK ? SVS_WAIT : status;
}
