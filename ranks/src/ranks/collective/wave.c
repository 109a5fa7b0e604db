#include "ranks/collective/wave.h"
#include "ranks/channel/lane.h"
#include "ranks/channel/listed.h"
#include "ranks/collective/deadlock.h"
#include "ranks/collective/ending.h"

#define PAUSE_NS_MIN 1000u
#define PAUSE_NS_MAX 100000u
/* A pause is up to this many times as long as the wave before. Each wave costs one more message for
 * two ranks that wait for messages of each other; so waves take only a small part of their time,
 * even where messages are slow. */
#define PAUSE_WAVES 32u
#define PAUSE_NS_SLOW 1000000u

bool svs__is_idle(const svs_ranks *ranks) {
    return ranks->schedulers.enabled == 0 && ranks->offloaded == 0 && ranks->fibers.posting == 0 &&
           ranks->dirty_count == 0 && ranks->queued_count == 0 && ranks->ready_count == 0 &&
           svs__listed_count(ranks, SVS__LISTED_STALLED) == 0 && svs__own_is_empty(ranks);
}

static void send(svs_ranks *ranks, uint32_t to, svs__packet_kind kind, const svs__sums *sums) {
    if (!svs__control_send(ranks, to, kind, sums, sizeof *sums, NULL))
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a control packet");
}

void svs__wave_asked(svs_ranks *ranks, const svs__sums *wave) {
    svs__sums next = {.wave = wave->wave};
    ranks->waves.mine = next;
    ranks->waves.answers = 0;
    ranks->waves.asked = true;
    for (uint32_t i = 0; i < ranks->topology.child_count; i++)
        send(ranks, ranks->topology.children[i], SVS__PACKET_WAVE, &next);
}

static void add(svs__sums *sums, const svs__sums *more) {
    sums->created += more->created;
    sums->run += more->run;
    sums->suspended += more->suspended;
}

void svs__wave_answered(svs_ranks *ranks, const svs__sums *sums) {
    if (sums->wave != ranks->waves.mine.wave) return;
    add(&ranks->waves.mine, sums);
    ranks->waves.answers++;
}

/* ranks.Q3: doubles the pause before the next wave, so that the waves of an idle rank do not slow
 * down the others. It is not called after a wave in which created equals run and before which this
 * was not so: then the next wave begins at once. */
static void pause(svs_ranks *ranks) {
    svs__waves *waves = &ranks->waves;
    uint64_t now = svs__now(ranks), most = PAUSE_WAVES * (now - waves->begun_at);
    if (most < PAUSE_NS_MAX) most = PAUSE_NS_MAX;
    if (most > PAUSE_NS_SLOW) most = PAUSE_NS_SLOW;
    waves->pause = waves->pause == 0 ? PAUSE_NS_MIN : 2 * waves->pause;
    if (waves->pause > most) waves->pause = most;
    waves->next_at = now + waves->pause;
}

uint64_t svs__wave_pause(const svs_ranks *ranks, uint64_t now) {
    if (ranks->index != 0 || ranks->waves.asked || ranks->waves.reporting) return SVS__NEVER;
    return now >= ranks->waves.next_at ? 0 : ranks->waves.next_at - now;
}

/* Called on rank 0 when a wave is complete. */
static void judge(svs_ranks *ranks) {
    svs__waves *waves = &ranks->waves;
    svs__sums now = waves->mine, last = waves->last;
    waves->last = now;
    if (last.wave == 0 || now.created != now.run || now.created != last.created ||
        now.run != last.run) {
        if (now.created != now.run || (last.wave != 0 && last.created == last.run)) pause(ranks);
        return;
    }
    SVS__ASSERT(svs__is_idle(ranks) && now.wave == last.wave + 1); /* ranks.Q1 */
    if (now.suspended != 0) svs__deadlock_begin(ranks);
    else svs__ending_succeed(ranks);
}

void svs__wave_turn(svs_ranks *ranks, uint64_t now) {
    svs__waves *waves = &ranks->waves;
    svs__sums own;
    svs__own_remember(ranks, NULL);
    own = (svs__sums){.created = ranks->records_created,
                      .run = ranks->records_run,
                      .suspended = ranks->fibers.suspended};
    if (waves->reporting) return;
    if (ranks->index == 0 && !waves->asked && svs__wave_pause(ranks, now) == 0) {
        svs__sums next = {.wave = waves->mine.wave + 1};
        waves->begun_at = now;
        svs__wave_asked(ranks, &next);
    }
    if (!waves->asked || waves->answers < ranks->topology.child_count) return;
    add(&waves->mine, &own);
    waves->asked = false;
    ranks->statistics.waves++;
    if (ranks->index == 0) judge(ranks);
    else send(ranks, ranks->topology.parent, SVS__PACKET_ANSWER, &waves->mine);
}
