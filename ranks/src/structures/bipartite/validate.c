/* Brings ghosts up to date: each peer gets one message, with the layout that connect.c has made. */
#include "structures/bipartite/bipartite.h"
#include <string.h>

static size_t bytes_of(const svs_bipartite *graph, uint32_t nodes) {
    return (size_t)nodes * graph->node_bytes;
}

static unsigned char *ghosts_of(const svs_bipartite *graph, const svs__bipartite_side *side,
                                const svs__bipartite_peer *peer) {
    return side->states + bytes_of(graph, side->count + peer->ghosts_first);
}

/* ---- arrival ---- */

static void fail_record(svs_bipartite *graph, const char *why) {
    svs_ignore(svs_structure_fail(graph->structure, SVS_E_RECORD, why));
}

/* Ends the validate in progress if the messages of all peers have arrived. */
static void look_if_complete(svs_bipartite *graph, svs__bipartite_side *side) {
    svs_counter *done = side->done;
    if (done == NULL || side->arrived != side->peer_count) return;
    side->done = NULL;
    svs_counter_add(graph->ranks, done, 1);
}

static void arrive(svs_bipartite *graph, svs__bipartite_side *side, svs__bipartite_peer *peer,
                   const svs__bipartite_record *record) {
    size_t bytes = bytes_of(graph, peer->ghosts_count);
    if (record->number == side->number && side->done != NULL) {
        SVS__ASSERT(!peer->early && side->arrived < side->peer_count); /* structures.G4 */
        if (bytes != 0) memcpy(ghosts_of(graph, side, peer), record->data, bytes);
        side->arrived++;
    } else {
        SVS__ASSERT(record->number == side->number + 1 && !peer->early); /* structures.G3 */
        if (bytes != 0)
            memcpy(side->early + bytes_of(graph, peer->ghosts_first), record->data, bytes);
        peer->early = true;
        graph->statistics.early++;
    }
}

static svs__bipartite_peer *find_peer(const svs__bipartite_side *side, uint32_t rank) {
    uint32_t low = 0, high = side->peer_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (side->peers[middle].rank < rank) low = middle + 1;
        else high = middle;
    }
    return low < side->peer_count && side->peers[low].rank == rank ? &side->peers[low] : NULL;
}

/* Whether a message is of the validate in progress, or of the next one (structures.G3). */
static bool is_expected(const svs_bipartite *graph, const svs__bipartite_side *side,
                        const svs__bipartite_peer *peer, const svs__bipartite_record *record,
                        uint32_t bytes) {
    uint32_t ahead = record->number - side->number;
    return graph->state != SVS__BIPARTITE_BUILT && peer != NULL &&
           record->count == peer->ghosts_count &&
           bytes == svs__bipartite_bytes(graph, record->count) &&
           (ahead == 1 || (ahead == 0 && side->done != NULL)) && !(ahead == 1 && peer->early);
}

void svs__bipartite_take_states(svs_ranks *ranks, void *part, const void *data, uint32_t bytes) {
    svs_bipartite *graph = part;
    const svs__bipartite_record *record = data;
    svs__bipartite_side *side;
    svs__bipartite_peer *peer;
    (void)ranks;
    if (bytes < sizeof *record || record->colour > 1) {
        fail_record(graph, "a message of states is malformed");
        return;
    }
    side = &graph->sides[record->colour];
    peer = find_peer(side, record->from);
    if (!is_expected(graph, side, peer, record, bytes)) {
        fail_record(graph, "a message of states is malformed");
        return;
    }
    svs_mutation_end(graph->outbox.snapshot, 1, SVS_NO_EPOCH);
    arrive(graph, side, peer, record);
    look_if_complete(graph, side);
}

/* ---- the call ---- */

/* Copies a state by words: states are short, so that a call of memcpy() would take longer. */
static inline void copy_state(unsigned char *to, const unsigned char *from, uint32_t bytes) {
    uint32_t at = 0;
    for (; at + 8 <= bytes; at += 8) memcpy(to + at, from + at, 8);
    if (at != bytes) memcpy(to + at, from + at, bytes - at);
}

static svs_status send_to(svs_bipartite *graph, svs_bipartite_colour colour,
                          const svs__bipartite_peer *peer) {
    const svs__bipartite_side *side = &graph->sides[colour];
    uint32_t bytes = svs__bipartite_bytes(graph, peer->sent_count);
    svs__bipartite_record *record = graph->scratch;
    svs_status status;
    *record =
        (svs__bipartite_record){graph->index, (uint32_t)colour, side->number, peer->sent_count};
    for (uint32_t i = 0; i < peer->sent_count; i++)
        copy_state(record->data + bytes_of(graph, i), side->states + bytes_of(graph, peer->sent[i]),
                   graph->node_bytes);
    status = svs__outbox_post(&graph->outbox, peer->rank,
                              svs_structure_handler(graph->structure, SVS__BIPARTITE_STATES),
                              record, bytes, 0);
    graph->statistics.messages++; /* structures.G2 */
    graph->statistics.bytes += bytes_of(graph, peer->sent_count);
    if (status == SVS_OK) svs_flush(graph->ranks, peer->rank);
    return status;
}

/* Copies the states that have arrived early to their ghosts. */
static void take_early(svs_bipartite *graph, svs__bipartite_side *side) {
    for (uint32_t i = 0; i < side->peer_count; i++) {
        svs__bipartite_peer *peer = &side->peers[i];
        if (!peer->early) continue;
        if (peer->ghosts_count != 0)
            memcpy(ghosts_of(graph, side, peer), side->early + bytes_of(graph, peer->ghosts_first),
                   bytes_of(graph, peer->ghosts_count));
        peer->early = false;
        side->arrived++;
    }
}

static svs_status check(const svs_bipartite *graph, unsigned colour, const svs_counter *done) {
    const svs_ranks *ranks = graph == NULL ? NULL : graph->ranks;
    if (graph == NULL || done == NULL)
        return svs_ranks_refuse(ranks, SVS_E_NULL,
                                "svs_bipartite_validate: graph or done is NULL: pass both");
    if (!svs_ranks_in_run(ranks))
        return svs_ranks_refuse(ranks, SVS_E_OUTSIDE,
                                "svs_bipartite_validate: there is no run: validate in a fiber");
    if (graph->state != SVS__BIPARTITE_CONNECTED)
        return svs_ranks_refuse(ranks, SVS_E_STATE,
                                "svs_bipartite_validate: the graph is not connected: wait for "
                                "svs_bipartite_connect()");
    if (colour >= SVS__BIPARTITE_COLOURS)
        return svs_ranks_refuse(ranks, SVS_E_INVALID,
                                "svs_bipartite_validate: the colour is neither red nor black: pass "
                                "one of svs_bipartite_colour");
    return graph->sides[colour].done == NULL
               ? SVS_OK
               : svs_ranks_refuse(ranks, SVS_E_BUSY,
                                  "svs_bipartite_validate: a validate of this colour is not "
                                  "complete: wait for its counter");
}

svs_status svs_bipartite_validate(svs_bipartite *graph, svs_bipartite_colour colour,
                                  svs_counter *done) {
    svs_status status = check(graph, (unsigned)colour, done);
    svs__bipartite_side *side;
    if (status != SVS_OK) return status;
    side = &graph->sides[colour];
    side->number++;
    side->arrived = 0;
    side->done = done;
    graph->statistics.validates++;
    take_early(graph, side);
    /* Each rank begins with another peer, so that not all send to the same one first. */
    for (uint32_t i = 0; i < side->peer_count && status == SVS_OK; i++)
        status = send_to(graph, colour, &side->peers[(i + graph->index) % side->peer_count]);
    if (status != SVS_OK)
        return svs_structure_fail(graph->structure, status, "a message of states cannot be sent");
    look_if_complete(graph, side);
    return side->done == NULL ? SVS_OK : SVS_WAIT;
}
