#include "ranks/ending.h"
#include <string.h>

void svs__ending_reset(svs_ranks *ranks) {
    ranks->phase++;
    ranks->in_phase = true;
    memset(&ranks->ending.verdict, 0, sizeof ranks->ending.verdict);
    ranks->ending.verdict.kind = SVS__VERDICT_OK;
    ranks->ending.verdict.rank = UINT32_MAX;
    ranks->ending.round = SVS__ROUND_NONE;
    memset(ranks->ending.heard, 0, ranks->count);
}

static bool is_more_important(const svs__verdict *one, const svs__verdict *other) {
    return one->kind != other->kind ? one->kind < other->kind : one->rank < other->rank;
}

static void merge(svs_ranks *ranks, const svs__verdict *verdict) {
    SVS__ASSERT(ranks->ending.round != SVS__ROUND_DECIDED); /* ranks.X1 */
    if (!is_more_important(verdict, &ranks->ending.verdict)) return;
    ranks->ending.verdict = *verdict;
    ranks->ending.verdict.text[SVS__TEXT - 1] = 0; /* of another rank */
}

static void tell_all(svs_ranks *ranks) {
    svs__round round = {.round = ranks->ending.round, .verdict = ranks->ending.verdict};
    for (uint32_t i = 0; i < ranks->count; i++) {
        if (i == ranks->index) continue;
        while (ranks->reserve.first == NULL) svs__channels_serve(ranks); /* ranks.X2 */
        (void)svs__control_send(ranks, i, SVS__PACKET_END, &round, sizeof round,
                                svs__buffers_take(&ranks->reserve));
    }
}

/* Has each other rank been heard in this round, or a later one, or left? */
static bool is_complete(const svs_ranks *ranks, uint32_t round) {
    for (uint32_t i = 0; i < ranks->count; i++)
        if (i != ranks->index && ranks->ending.heard[i] < round && !ranks->channels[i].gone)
            return false;
    return true;
}

static void advance(svs_ranks *ranks) {
    while (ranks->ending.round != SVS__ROUND_DECIDED && is_complete(ranks, ranks->ending.round))
        if (++ranks->ending.round == SVS__ROUND_SECOND) tell_all(ranks);
}

void svs__ending_begin(svs_ranks *ranks, const svs__verdict *verdict) {
    if (ranks->ending.round != SVS__ROUND_NONE) return;
    merge(ranks, verdict);
    if (ranks->failed.status != SVS_OK) merge(ranks, &ranks->failed);
    svs__lanes_close(ranks);
    ranks->ending.round = SVS__ROUND_FIRST;
    tell_all(ranks);
    advance(ranks);
}

void svs__ending_heard(svs_ranks *ranks, uint32_t from, const svs__round *round) {
    if (ranks->ending.round == SVS__ROUND_DECIDED) return;
    if (ranks->ending.heard[from] < round->round) ranks->ending.heard[from] = (uint8_t)round->round;
    if (ranks->ending.round == SVS__ROUND_NONE) {
        svs__ending_begin(ranks, &round->verdict);
    } else {
        merge(ranks, &round->verdict);
        advance(ranks);
    }
}

void svs__ending_left(svs_ranks *ranks, uint32_t from) {
    svs__verdict verdict;
    svs__verdict_set(&verdict, SVS__VERDICT_LEFT, from, SVS_E_RANK, SVS__LEFT_TEXT);
    if (ranks->ending.heard[from] < SVS__ROUND_SECOND) {
        if (ranks->ending.round == SVS__ROUND_NONE) svs__ending_begin(ranks, &verdict);
        else if (ranks->ending.round == SVS__ROUND_FIRST) merge(ranks, &verdict);
    }
    if (ranks->ending.round != SVS__ROUND_NONE) advance(ranks);
}
