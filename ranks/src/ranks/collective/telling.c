#include "ranks/collective/telling.h"
#include <string.h>

/* ---- sending ---- */

static void send(svs_ranks *ranks, uint32_t to, svs__end_step step) {
    const svs__ending *ending = &ranks->ending;
    svs__end end;
    memset(&end, 0, sizeof end);
    end.step = step;
    end.round = ending->round;
    end.verdict.kind = ending->uncertain ? SVS__VERDICT_LEFT : SVS__VERDICT_OK;
    end.verdict.rank = ending->dead;
    svs__step_send(ranks, to, &end, &ranks->tells);
}

/* Tells the ranks that were not told in this round, as far as there are buffers. */
static void tell(svs_ranks *ranks) {
    svs__ending *ending = &ranks->ending;
    svs__end_step step = ending->state == SVS__ENDING_DECIDED ? SVS__END_TOLD : SVS__END_TELL;
    for (; ending->tell_at < ranks->count; ending->tell_at++) {
        if (ending->tell_at == ranks->index || ranks->channels[ending->tell_at].gone) continue;
        if (ranks->tells.first == NULL) svs__send_serve(ranks);
        if (ranks->tells.first == NULL) return;
        send(ranks, ending->tell_at, step);
    }
}

void svs__decide(svs_ranks *ranks) {
    SVS__ASSERT(ranks->ending.state != SVS__ENDING_DECIDED); /* ranks.X1 */
    ranks->ending.state = SVS__ENDING_DECIDED;
    if (!svs__is_telling(ranks)) {
        svs__step_signal_children(ranks, SVS__END_COMMIT);
        return;
    }
    ranks->ending.tell_at = 0;
    tell(ranks);
}

/* ---- rounds ---- */

/* The number of other ranks that have not been heard in this round. @param with_those_that_left
 * whether ranks count that have left, which cannot be heard any more. */
static uint32_t count_silent(const svs_ranks *ranks, bool with_those_that_left) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ranks->count; i++)
        count += i != ranks->index && ranks->ending.heard[i] < ranks->ending.round &&
                 (with_those_that_left || !ranks->channels[i].gone);
    return count;
}

static void begin_round(svs_ranks *ranks) {
    ranks->ending.round++;
    ranks->ending.missing = count_silent(ranks, false);
    ranks->ending.tell_at = 0;
    tell(ranks);
}

static void decide(svs_ranks *ranks) {
    svs__ending *ending = &ranks->ending;
    SVS__ASSERT(ending->uncertain || !svs__is_uncertain(ranks)); /* ranks.X3 */
    if (ending->uncertain)
        svs__verdict_set(&ending->verdict, SVS__VERDICT_LEFT, ending->dead, SVS_E_RANK,
                         SVS__LEFT_TEXT);
    svs__decide(ranks);
}

static void advance(svs_ranks *ranks) {
    svs__ending *ending = &ranks->ending;
    while (ending->state != SVS__ENDING_DECIDED && ending->tell_at == ranks->count &&
           ending->missing == 0) {
        uint32_t silent = count_silent(ranks, true);
        if (silent == ending->silent) {
            decide(ranks);
            return;
        }
        ending->silent = silent;
        begin_round(ranks);
    }
}

void svs__telling_serve(svs_ranks *ranks) {
    tell(ranks);
    if (svs__is_telling(ranks)) advance(ranks);
}

void svs__telling_begin(svs_ranks *ranks, uint32_t dead) {
    svs__ending *ending = &ranks->ending;
    svs__lanes_close(ranks);
    memset(ending->heard, 0, ranks->count);
    ending->uncertain = svs__is_uncertain(ranks);
    if (ending->uncertain) ending->state = SVS__ENDING_VOTED;
    ending->dead = dead;
    ending->silent = 0;
    begin_round(ranks);
    advance(ranks);
}

/* ---- what is heard ---- */

static void merge(svs_ranks *ranks, bool uncertain, uint32_t dead) {
    svs__ending *ending = &ranks->ending;
    ending->uncertain = ending->uncertain || uncertain;
    if (dead < ending->dead) ending->dead = dead;
}

void svs__telling_left(svs_ranks *ranks) { /* ranks.X4 */
    if (ranks->ending.state == SVS__ENDING_DECIDED) return;
    ranks->ending.missing = count_silent(ranks, false);
    advance(ranks);
}

void svs__telling_heard(svs_ranks *ranks, uint32_t from, const svs__end *end) {
    svs__ending *ending = &ranks->ending;
    if (ending->state == SVS__ENDING_DECIDED) {
        svs__telling_answer(ranks, from, ranks->phase);
        return;
    }
    if (!svs__is_telling(ranks)) svs__telling_begin(ranks, end->verdict.rank);
    if (ending->state == SVS__ENDING_DECIDED) return;
    merge(ranks, end->verdict.kind == SVS__VERDICT_LEFT, end->verdict.rank);
    if (ending->heard[from] < ending->round && end->round >= ending->round &&
        !ranks->channels[from].gone)
        ending->missing--;
    if (ending->heard[from] < end->round) ending->heard[from] = (uint8_t)end->round;
    advance(ranks);
}

/* Another rank has decided. This rank takes over the decision, which is the one that it would come
 * to itself. */
void svs__telling_decided(svs_ranks *ranks, uint32_t from, const svs__end *end) {
    svs__ending *ending = &ranks->ending;
    bool died = end->verdict.kind == SVS__VERDICT_LEFT;
    if (ending->state == SVS__ENDING_DECIDED) return;
    if (!died && svs__is_uncertain(ranks)) { /* ranks.X3 */
        (void)svs__fail(ranks, SVS_E_RECORD,
                        "a packet from rank %u is malformed at byte 16: it has committed a verdict "
                        "that this rank does not know",
                        from);
        return;
    }
    if (!svs__is_telling(ranks)) ending->round = 1;
    ending->uncertain = died;
    ending->dead = end->verdict.rank;
    decide(ranks);
}

/* A rank that is still in an earlier phase learns from any packet of the present phase that this
 * rank has committed the earlier one. */
void svs__telling_answer(svs_ranks *ranks, uint32_t from, uint32_t phase) {
    static const svs__end committed = {.step = SVS__END_TOLD, .verdict = {.kind = SVS__VERDICT_OK}};
    /* the decision is being sent to all ranks anyway */
    if (phase == ranks->phase && ranks->ending.round != 0) return;
    if (phase == ranks->phase) svs__step_send(ranks, from, &committed, &ranks->tells);
    else if (!svs__control_send(ranks, from, SVS__PACKET_CREDIT, NULL, 0,
                                svs__buffers_take(&ranks->tells)))
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a packet of credits");
}
