/* Detects that all ranks are idle while nodes wait. Then a freeze looks for a cure.
 *
 *     rank 1 --nudge--> rank 0            it is idle, and nodes wait
 *     rank 0 --ask----> all               when it is idle itself
 *     all    --answer-> rank 0            each when it is idle
 *     rank 0 --begin--> all               if all records of the graph have arrived, and nodes wait
 *
 * An alarm may be false, because a rank may continue after its answer. Then it costs a freeze and
 * is harmless, since cures are right at any time.
 *
 * A fiber of a background scheduler, the prober, runs when this rank is idle. A background fiber
 * does not delay the end of a run; so another scheduler keeps a second fiber, the holder, enabled
 * but not selected, as long as the prober may find something (structures.E8). */
#include "structures/event/event.h"

#define PAUSE_MAX 16u

/* ---- the two schedulers ---- */

static bool is_wanted(const svs_event_graph *graph) {
    const svs__event_idle *idle = &graph->idle;
    bool here = idle->waiting != 0 && !idle->resigned && svs__event_is_open(graph);
    if (here || idle->asked) return true;
    return idle->wave || (idle->wanted && svs__event_is_open(graph));
}

/* Whether the prober has something to do now. */
static bool has_work(svs_event_graph *graph) {
    svs__event_idle *idle = &graph->idle;
    if (idle->asked || !is_wanted(graph)) return true;
    if (!svs__event_is_open(graph)) return false;
    if (graph->index != 0) return !idle->nudged && idle->waiting != 0 && !idle->resigned;
    if (idle->wave || graph->freezer.running) return false;
    if (idle->skip == 0) return true;
    idle->skip--;
    return false;
}

static svs_status deposit_holder(void *self, svs_fiber fiber, int64_t hint) {
    svs_event_graph *graph = self;
    (void)hint;
    graph->idle.holder = fiber;
    graph->idle.held = true;
    return SVS_OK;
}

static bool select_holder(void *self, svs_fiber *fiber) {
    svs_event_graph *graph = self;
    if (graph->idle.probed || is_wanted(graph)) return false;
    graph->idle.held = false;
    *fiber = graph->idle.holder;
    return true;
}

static svs_status deposit_prober(void *self, svs_fiber fiber, int64_t hint) {
    svs_event_graph *graph = self;
    (void)hint;
    graph->idle.prober = fiber;
    graph->idle.probed = true;
    return SVS_OK;
}

static bool select_prober(void *self, svs_fiber *fiber) {
    svs_event_graph *graph = self;
    if (!has_work(graph)) return false;
    graph->idle.probed = false;
    *fiber = graph->idle.prober;
    return true;
}

static const svs_scheduler_type holding = {"event graph, hold", deposit_holder, select_holder,
                                           false};
static const svs_scheduler_type probing = {"event graph, probe", deposit_prober, select_prober,
                                           true};

svs_status svs__event_idle_init(svs_event_graph *graph) {
    svs_status status = svs_scheduler_new(graph->ranks, &holding, graph, &graph->idle.hold);
    if (status != SVS_OK) return status;
    return svs_scheduler_new(graph->ranks, &probing, graph, &graph->idle.background);
}

/* ---- arming ---- */

static svs_status let_go(svs_ranks *ranks, void *state) {
    SVS__ASSERT(!is_wanted(*(svs_event_graph **)state)); /* structures.E8 */
    (void)ranks, (void)state;
    return SVS_OK;
}

static svs_status probe(svs_ranks *ranks, void *state);

static svs_status put(svs_event_graph *graph, svs_fiber_function *function,
                      svs_scheduler *scheduler) {
    svs_fiber fiber;
    svs_status status =
        svs_fiber_new(graph->ranks, function, &graph, sizeof(svs_event_graph *), scheduler, &fiber);
    return status == SVS_OK ? svs_fiber_enable(graph->ranks, fiber) : status;
}

static void arm(svs_event_graph *graph) {
    svs_status status = SVS_OK;
    if (!graph->idle.probed) status = put(graph, probe, graph->idle.background);
    if (status == SVS_OK && !graph->idle.held) status = put(graph, let_go, graph->idle.hold);
    if (status == SVS_E_NO_MEMORY) svs__event_no_memory(graph);
}

void svs__event_stir(svs_event_graph *graph) {
    graph->idle.resigned = false;
    if (graph->idle.waiting == 0 && !graph->idle.wanted) return;
    if (!graph->idle.held || !graph->idle.probed) arm(graph);
}

/* ---- waves ---- */

static void end_wave(svs_event_graph *graph) {
    svs__event_idle *idle = &graph->idle;
    bool quiet = idle->sums[0] == idle->sums[1], waits = idle->sums[2] != 0;
    idle->wave = false;
    idle->wanted = waits;
    if (waits && quiet) {
        svs__event_begin_freeze(graph, true);
        return;
    }
    /* the first repetition comes at once, since records in flight have arrived meanwhile */
    idle->skip = idle->pause;
    idle->pause = idle->pause == 0 ? 1 : 2 * idle->pause;
    if (idle->pause > PAUSE_MAX) idle->pause = PAUSE_MAX;
}

static void add_answer(svs_event_graph *graph, const svs__event_message *answer) {
    svs__event_idle *idle = &graph->idle;
    idle->sums[0] += (uint64_t)answer->a;
    idle->sums[1] += (uint64_t)answer->b;
    idle->sums[2] += (uint64_t)answer->c;
    if (++idle->answers == graph->count) end_wave(graph);
}

static svs_status answer(svs_event_graph *graph) {
    svs__event_idle *idle = &graph->idle;
    bool waits = idle->waiting != 0 && !idle->resigned;
    idle->asked = false;
    idle->nudged = waits;
    return svs__event_say(graph, 0,
                          (svs__event_message){.word = SVS__EVENT_ANSWER,
                                               .a = (int64_t)idle->created,
                                               .b = (int64_t)idle->run,
                                               .c = waits ? idle->waiting : 0});
}

static svs_status begin_wave(svs_event_graph *graph) {
    svs_status status = SVS_OK;
    graph->idle.wave = true;
    graph->idle.answers = 0;
    graph->idle.sums[0] = graph->idle.sums[1] = graph->idle.sums[2] = 0;
    for (uint32_t i = 1; i < graph->count && status == SVS_OK; i++)
        status = svs__event_say(graph, i, (svs__event_message){.word = SVS__EVENT_ASK});
    return status == SVS_OK ? answer(graph) : status;
}

/* Function of the prober, which runs when this rank is idle. */
static svs_status probe(svs_ranks *ranks, void *state) {
    svs_event_graph *graph = *(svs_event_graph **)state;
    svs__event_idle *idle = &graph->idle;
    svs_status status = SVS_OK;
    (void)ranks;
    if (!is_wanted(graph)) return SVS_OK;
    if (idle->asked) status = answer(graph);
    else if (graph->index == 0 && !idle->wave && !graph->freezer.running)
        status = begin_wave(graph);
    else if (graph->index != 0) {
        idle->nudged = true;
        status = svs__event_say(graph, 0, (svs__event_message){.word = SVS__EVENT_NUDGE});
    }
    if (status == SVS_OK && is_wanted(graph)) arm(graph);
    return status;
}

void svs__event_hear_idle(svs_event_graph *graph, const svs__event_message *message) {
    if (message->word == SVS__EVENT_ANSWER) {
        add_answer(graph, message);
        return;
    }
    if (message->word == SVS__EVENT_ASK) graph->idle.asked = true;
    else graph->idle.wanted = true;
    arm(graph);
}

void svs__event_judged(svs_event_graph *graph, bool fruitful) {
    graph->idle.nudged = false;
    graph->idle.resigned = !fruitful;
    graph->idle.wanted = false;
    graph->idle.skip = 0;
    if (fruitful) graph->idle.pause = 0;
    if (graph->idle.waiting != 0 && fruitful) svs__event_stir(graph);
}
