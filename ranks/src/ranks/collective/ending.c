#include "ranks/collective/ending.h"
#include "ranks/collective/telling.h"
#include <string.h>

/* ---- verdicts ---- */

void svs__ending_reset(svs_ranks *ranks) {
    svs__ending *ending = &ranks->ending;
    ranks->phase++;
    ranks->in_phase = true;
    memset(&ending->verdict, 0, sizeof ending->verdict);
    ending->verdict.kind = SVS__VERDICT_OK;
    ending->verdict.rank = UINT32_MAX;
    ending->state = SVS__ENDING_RUNS;
    ending->voted = ending->prepared = 0;
    ending->round = 0;
    ending->tell_at = ranks->count;
}

static bool is_more_important(const svs__verdict *one, const svs__verdict *other) {
    return one->kind != other->kind ? one->kind < other->kind : one->rank < other->rank;
}

static void merge(svs_ranks *ranks, const svs__verdict *verdict) {
    SVS__ASSERT(svs__is_uncertain(ranks)); /* ranks.X1 */
    if (is_more_important(verdict, &ranks->ending.verdict)) ranks->ending.verdict = *verdict;
}

/* ---- the steps ---- */

static void send(svs_ranks *ranks, uint32_t to, svs__end_step step, const svs__verdict *verdict) {
    svs__end end;
    memset(&end, 0, offsetof(svs__end, verdict));
    end.step = step;
    end.verdict = *verdict;
    svs__step_send(ranks, to, &end, &ranks->reserve);
}

static bool all_children(const svs_ranks *ranks, uint32_t bits) {
    return bits == (1u << ranks->topology.child_count) - 1;
}

static void acknowledge(svs_ranks *ranks) {
    if (!all_children(ranks, ranks->ending.prepared)) return;
    if (ranks->index == 0) {
        svs__decide(ranks);
        return;
    }
    ranks->ending.state = SVS__ENDING_ACKNOWLEDGED;
    svs__step_signal(ranks, ranks->topology.parent, SVS__END_PREPARED);
}

/* Begins the step PREPARE: the verdict of this rank is now that of rank 0. */
static void prepare(svs_ranks *ranks) {
    svs__lanes_close(ranks);
    ranks->ending.state = SVS__ENDING_PREPARED;
    for (uint32_t i = 0; i < ranks->topology.child_count; i++)
        send(ranks, ranks->topology.children[i], SVS__END_PREPARE, &ranks->ending.verdict);
    acknowledge(ranks);
}

/* Sends this rank's contribution to a collective call as its vote, if all is well. @return whether
 * it was sent. */
static bool send_contribution(svs_ranks *ranks) {
    const svs__agreement *agreement = &ranks->agreement;
    if (agreement->mine == NULL || ranks->ending.verdict.status != SVS_OK) return false;
    if (svs__control_send(ranks, ranks->topology.parent, SVS__PACKET_AGREE, agreement->mine,
                          agreement->bytes, NULL))
        return true;
    (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a control packet");
    merge(ranks, &ranks->failed);
    return false;
}

static void vote(svs_ranks *ranks) {
    if (!all_children(ranks, ranks->ending.voted)) return;
    if (ranks->failed.status != SVS_OK) merge(ranks, &ranks->failed);
    if (ranks->index == 0) {
        prepare(ranks);
        return;
    }
    ranks->ending.state = SVS__ENDING_VOTED;
    if (!send_contribution(ranks))
        send(ranks, ranks->topology.parent, SVS__END_VOTE, &ranks->ending.verdict);
}

void svs__ending_vote(svs_ranks *ranks) {
    svs__lanes_close(ranks);
    ranks->ending.state = SVS__ENDING_STOPPED;
    vote(ranks);
}

void svs__ending_child_voted(svs_ranks *ranks, uint32_t child, const svs__verdict *verdict) {
    if (ranks->ending.state != SVS__ENDING_STOPPED || svs__is_telling(ranks)) return;
    merge(ranks, verdict);
    ranks->ending.voted |= 1u << child;
    vote(ranks);
}

static void stop(svs_ranks *ranks) {
    svs__step_signal_children(ranks, SVS__END_STOP);
    svs__ending_vote(ranks);
}

/* After a failure of this rank or one below it: rank 0 stops all ranks, and another rank passes its
 * first failure on to its parent. */
static void pass_failure(svs_ranks *ranks, const svs__verdict *verdict) {
    if (ranks->ending.state > SVS__ENDING_FAILING || svs__is_telling(ranks)) return;
    merge(ranks, verdict);
    if (ranks->ending.state == SVS__ENDING_FAILING) return;
    if (ranks->index == 0) {
        stop(ranks);
        return;
    }
    svs__lanes_close(ranks);
    ranks->ending.state = SVS__ENDING_FAILING;
    send(ranks, ranks->topology.parent, SVS__END_FAIL, &ranks->ending.verdict);
}

void svs__ending_fail(svs_ranks *ranks) { pass_failure(ranks, &ranks->failed); }

void svs__ending_succeed(svs_ranks *ranks) {
    if (ranks->ending.state == SVS__ENDING_RUNS && !svs__is_telling(ranks)) prepare(ranks);
}

/* ---- what arrives ---- */

static void hear_from_parent(svs_ranks *ranks, const svs__end *end) {
    svs__ending *ending = &ranks->ending;
    if (end->step == SVS__END_COMMIT) {
        if (ending->state == SVS__ENDING_ACKNOWLEDGED) svs__decide(ranks);
        return;
    }
    if (svs__is_telling(ranks)) return; /* ranks.X4 */
    if (end->step == SVS__END_STOP && ending->state < SVS__ENDING_STOPPED) stop(ranks);
    if (end->step == SVS__END_PREPARE && svs__is_uncertain(ranks)) {
        ending->verdict = end->verdict;
        prepare(ranks);
    }
}

static void hear_from_child(svs_ranks *ranks, uint32_t child, const svs__end *end) {
    if (end->step == SVS__END_FAIL) pass_failure(ranks, &end->verdict);
    if (end->step == SVS__END_VOTE) svs__ending_child_voted(ranks, child, &end->verdict);
    if (end->step == SVS__END_PREPARED && ranks->ending.state == SVS__ENDING_PREPARED &&
        !svs__is_telling(ranks)) {
        ranks->ending.prepared |= 1u << child;
        acknowledge(ranks);
    }
}

void svs__ending_heard(svs_ranks *ranks, uint32_t from, uint32_t phase, const void *data,
                       uint32_t bytes) {
    uint32_t child = svs__topology_child(&ranks->topology, from);
    svs__end end;
    if (!svs__step_read(&end, data, bytes)) {
        (void)svs__fail(ranks, SVS_E_RECORD,
                        "a packet from rank %u is malformed at byte 16: no step of an ending",
                        from);
        return;
    }
    if (end.step == SVS__END_TELL && (phase != ranks->phase || !ranks->in_phase))
        svs__telling_answer(ranks, from, phase);
    if (phase != ranks->phase || !ranks->in_phase) return;
    if (end.step == SVS__END_TELL) svs__telling_heard(ranks, from, &end);
    else if (end.step == SVS__END_TOLD) svs__telling_decided(ranks, from, &end);
    else if (from == ranks->topology.parent) hear_from_parent(ranks, &end);
    else if (child != SVS__CHILDREN_MAX) hear_from_child(ranks, child, &end);
}

void svs__ending_overtaken(svs_ranks *ranks) {
    if (ranks->in_phase && ranks->ending.state != SVS__ENDING_DECIDED &&
        !svs__is_uncertain(ranks)) /* ranks.X3 */
        svs__decide(ranks);
}

/* Whether the exchange over the tree needs a rank that has died. */
static bool is_missed(const svs_ranks *ranks, uint32_t rank) {
    uint32_t child = svs__topology_child(&ranks->topology, rank);
    if (svs__is_uncertain(ranks) || rank == ranks->topology.parent) return true;
    return child != SVS__CHILDREN_MAX && (ranks->ending.prepared >> child & 1) == 0;
}

void svs__ending_left(svs_ranks *ranks, uint32_t from) {
    if (svs__is_telling(ranks)) svs__telling_left(ranks);
    else if (ranks->ending.state != SVS__ENDING_DECIDED && is_missed(ranks, from))
        svs__telling_begin(ranks, from);
}
