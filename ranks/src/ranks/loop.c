/* svs_ranks_run() and its parts: the loop of a rank, from the first fiber to the verdict.
 *
 *   ranks.R1  One thread at a time is in a rank's run. The next thread sees all effects of the
 *             threads before it.
 *   ranks.R2  A fiber, a scheduler, the waiters of a counter and a transport belong to one rank.
 *             Calls of other ranks with them are refused. (not asserted: ranks/tests/ranks/mixed.c
 *             compares) */
#include "base/atomic.h"
#include "base/platform.h"
#include "ranks/channel/backlog.h"
#include "ranks/channel/credit.h"
#include "ranks/channel/deliver.h"
#include "ranks/collective/deadlock.h"
#include "ranks/collective/ending.h"
#include "ranks/collective/wave.h"
#include "ranks/fiber/counter.h"
#include "ranks/fiber/execute.h"
#include "ranks/network.h"
#include "ranks/object/structure.h"
#include "ranks/observe.h"
#include "ranks/offload.h"
#include <string.h>

/* Number of fibers after which the network is served at the latest. */
#define FIBERS_PER_SERVICE 16u
/* How long a rank sleeps at most while its schedulers hold fibers back, and while sends are
 * refused. */
#define HELD_BACK_NS 100000u
#define REFUSED_NS 1000u

/* Counts the pending sleep as idle time before work, if a fiber or record has run since. Sleep at
 * the end of a run is not counted. */
static void settle_idle(svs_ranks *ranks) {
    uint64_t done = ranks->statistics.thread_disp + ranks->statistics.records_run;
    if (done == ranks->idle_done) return;
    ranks->statistics.idle_work_ns += ranks->idle_pending;
    ranks->idle_pending = 0;
    ranks->idle_done = done;
}

/* Sleeps for `ns` after `begin`, but not longer than the step in progress may take. */
static void sleep_for(svs_ranks *ranks, uint64_t begin, uint64_t ns) {
    uint64_t most = ranks->idle_ns_max, until = ns == SVS__NEVER ? ns : begin + ns, slept;
    if (most < SVS__NEVER - begin && begin + most < until) until = begin + most;
    settle_idle(ranks);
    if (svs__is_observed(ranks)) svs__observe_idle(ranks, true);
    slept = ranks->type->idle(ranks->endpoint, until, most == 0 ? 0 : ranks->options.spin_ns);
    if (svs__is_observed(ranks)) svs__observe_idle(ranks, false);
    ranks->statistics.idle_ns += slept - begin;
    ranks->idle_pending += slept - begin;
}

/* Called when nothing is enabled and nothing has arrived. It reads the clock once, since the next
 * event may be near. */
static void rest(svs_ranks *ranks) {
    svs__fiber *background;
    uint64_t pause = SVS__NEVER, now = svs__now(ranks);
    ranks->statistics.idle_cycle++;
    svs__flush_all(ranks, &ranks->statistics.flushes_idle);
    if (svs__is_idle(ranks)) {
        svs__wave_turn(ranks, now);
        if (ranks->ending.state != SVS__ENDING_RUNS || ranks->failed.status != SVS_OK) return;
        pause = svs__wave_pause(ranks, now);
        if (pause == 0) return; /* the next wave begins at once */
    }
    if (ranks->idle_ns_max != 0 && svs__offload_wait(ranks)) return;
    background = svs__select(ranks, true);
    if (background != NULL) svs__execute(ranks, background);
    else if (ranks->ready_count != 0) sleep_for(ranks, now, REFUSED_NS);
    else sleep_for(ranks, now, ranks->schedulers.enabled != 0 ? HELD_BACK_NS : pause);
}

/* Runs fibers until the next service of the network. @return whether none is left. */
static bool run_fibers(svs_ranks *ranks) {
    for (uint32_t i = 0; i < FIBERS_PER_SERVICE; i++) {
        svs__fiber *fiber = svs__select_next(ranks);
        if (fiber == NULL) return true;
        svs__execute(ranks, fiber);
        if (++ranks->since_flush >= ranks->options.flush_fibers &&
            ranks->options.flush_fibers != UINT32_MAX)
            svs__flush_all(ranks, &ranks->statistics.flushes_fibers);
        if (!svs__goes_on(ranks) || ranks->dead) return false;
    }
    return false;
}

static void turn(svs_ranks *ranks) {
    bool none_left = run_fibers(ranks);
    if (!svs__goes_on(ranks) || ranks->dead) return;
    svs__flush_old(ranks);
    if (!svs__serve(ranks) && none_left && ranks->schedulers.urgent.queue.first == NULL &&
        ranks->schedulers.fifo.queue.first == NULL && ranks->failed.status == SVS_OK &&
        !ranks->dead && ranks->ending.state == SVS__ENDING_RUNS)
        rest(ranks);
}

static void end_turn(svs_ranks *ranks) {
    if (!svs__serve(ranks) && !svs__ending_is_decided(ranks) && !ranks->dead)
        sleep_for(ranks, svs__now(ranks), ranks->ready_count != 0 ? REFUSED_NS : SVS__NEVER);
}

static bool is_over(const svs_ranks *ranks) { return svs__ending_is_decided(ranks) || ranks->dead; }

/* @return whether the run has ended on this rank. */
static bool go_on(svs_ranks *ranks) {
    if (is_over(ranks)) return true;
    if (ranks->failed.status != SVS_OK) svs__ending_fail(ranks);
    if (ranks->ending.state == SVS__ENDING_RUNS) turn(ranks);
    else end_turn(ranks);
    return is_over(ranks);
}

/* ---- before and after ---- */

static void begin_run(svs_ranks *ranks) {
    svs__ending_reset(ranks);
    ranks->agreement.mine = NULL;
    ranks->in_run = true;
    memset(&ranks->waves, 0, sizeof ranks->waves);
    ranks->records_created = ranks->records_run = 0;
    ranks->since_flush = 0;
}

static void make_first_fiber(svs_ranks *ranks, svs_fiber_function *start, void *state) {
    svs__fiber *first = svs__fiber_new(ranks, start, 0, &ranks->schedulers.fifo);
    if (first == NULL) {
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for the first fiber");
        return;
    }
    first->state = state;
    if (svs__is_observed(ranks)) svs__observe_created(ranks, first);
    svs_ignore(svs__enable(ranks, first)); /* FIFO: it does not fail */
}

/* Resumes all threads with stacks that have begun: their waits return SVS_E_STOPPED, so that they
 * can release what they own. */
static void stop_threads(svs_ranks *ranks) {
    ranks->stopping = true;
    for (uint32_t i = 0; i < svs__fiber_count(ranks); i++) {
        svs__fiber *fiber = svs__fiber_at(ranks, i);
        if (fiber->stack == NULL) continue;
        fiber->counter = NULL;
        if (fiber->status != SVS__FIBER_ENABLED) svs__fiber_move(ranks, fiber, SVS__FIBER_ENABLED);
        svs__execute(ranks, fiber);
        SVS__ASSERT(fiber->stack == NULL);
    }
    ranks->stopping = false;
}

/* Empties the queues of fibers that wait for credit. */
static void drop_waiters(svs_ranks *ranks) {
    for (uint32_t i = 0; i < ranks->count; i++)
        ranks->channels[i].waiters.first = ranks->channels[i].handlers.first = NULL;
}

/* Whether every slot is known to be free, as usual after a run that has ended well. After a failed
 * run it is not known: a scheduler of the program may have refused a fiber, which is not counted
 * then. */
static bool no_fiber_is_left(const svs_ranks *ranks) {
    const svs_scheduler *first = &ranks->schedulers.fifo, *scheduler = first->next;
    while (scheduler != first && scheduler->held == 0) scheduler = scheduler->next;
    return ranks->ending.verdict.status == SVS_OK && scheduler == first &&
           ranks->fibers.suspended == 0 && ranks->fibers.posting == 0 &&
           ranks->schedulers.enabled == 0;
}

static void drop_fibers(svs_ranks *ranks) {
    for (uint32_t i = 0; i < svs__fiber_count(ranks); i++) {
        svs__fiber *fiber = svs__fiber_at(ranks, i);
        if (fiber->status == SVS__FIBER_FREE) continue;
        if (fiber->scheduler == &ranks->schedulers.backlog) svs__backlog_drop(fiber);
        if (fiber->group != NULL) svs__fiber_group_end(ranks, fiber->group);
        svs__fiber_free(ranks, fiber);
    }
}

static void drop_records(svs_ranks *ranks) {
    svs__buffer *buffer;
    svs__lanes_close(ranks);
    for (uint32_t i = 0; i < ranks->count; i++) {
        svs__channel *channel = &ranks->channels[i];
        channel->dirty = channel->wanted = channel->mixed = false;
        if (channel->open != NULL) svs__buffer_recycle(ranks, channel->open);
        while ((buffer = svs__buffers_take(&channel->queued)) != NULL)
            svs__buffer_recycle(ranks, buffer);
        channel->open = NULL;
        channel->run = NULL;
    }
    ranks->dirty_count = ranks->queued_count = 0;
    ranks->overflow_bytes = 0;
}

/* ---- begin, step, end ---- */

/* ranks.R1: enters the run. @return false: another thread is in the run, or a fiber of the run
 * makes this call. */
static bool enter(svs_ranks *ranks) {
    /* [ranks.R1] acquire: pairs with the release in leave() by the previous thread. */
    if (svs__exchange_acquire(&ranks->entered, 1) != 0) return false;
    svs__cpu_clock_enter(&ranks->cpu_clock);
    return true;
}

static void leave(svs_ranks *ranks) {
    /* ranks.R1; relaxed is enough: this thread wrote it */
    SVS__ASSERT(svs__load_relaxed(&ranks->entered) == 1);
    ranks->statistics.cpu_ns += svs__cpu_clock_count(&ranks->cpu_clock);
    /* [ranks.R1] release: pairs with the acquire in enter(), so that the next thread sees the
     * effects of this one. */
    svs__store_release(&ranks->entered, 0);
}

static svs_status refuse_entry(const svs_ranks *ranks, const char *call) {
    return svs__refuse(&ranks->log, SVS_E_NESTED,
                       "%s: called in a step, by a fiber or another thread: step a rank by one "
                       "thread at a time",
                       call);
}

static bool may_drive(const svs_ranks *ranks) {
    return ranks->type->may_drive == NULL || ranks->type->may_drive(ranks->endpoint);
}

static svs_status refuse_thread(const svs_ranks *ranks, const char *call) {
    return svs__refuse(&ranks->log, SVS_E_THREAD,
                       "%s: called by a thread that may not run the rank: transport %s serves only "
                       "the thread that started it (over MPI, because MPI grants less than "
                       "MPI_THREAD_SERIALIZED): call it in that thread",
                       call, ranks->type->name);
}

static svs_status check_begin(const svs_ranks *ranks, svs_fiber_function *start, const char *call) {
    if (ranks == NULL || start == NULL)
        return svs__refuse(ranks == NULL ? NULL : &ranks->log, SVS_E_NULL,
                           "%s: ranks or start is NULL: pass both", call);
    if (ranks->in_run || ranks->over)
        return svs__refuse(&ranks->log, ranks->in_run ? SVS_E_NESTED : SVS_E_STATE, "%s: %s", call,
                           ranks->in_run ? "called in a run: create fibers instead"
                                         : "an earlier call has failed: free the rank");
    return may_drive(ranks) ? SVS_OK : refuse_thread(ranks, call);
}

static void begin(svs_ranks *ranks, svs_fiber_function *start, void *state) {
    begin_run(ranks);
    if (svs__is_observed(ranks)) svs__observe_collective(ranks, SVS_COLLECTIVE_RUN, "", true);
    make_first_fiber(ranks, start, state);
    svs__serve_held(ranks);
}

static svs_status end(svs_ranks *ranks) {
    svs_status status;
    settle_idle(ranks);
    ranks->idle_pending = 0;
    if (ranks->dead)
        svs__verdict_set(&ranks->ending.verdict, SVS__VERDICT_LEFT, ranks->index, SVS_E_RANK,
                         SVS__LEFT_TEXT);
    svs__offload_end_run(ranks);
    svs__deadlock_clean_up(ranks);
    drop_waiters(ranks);
    if (!no_fiber_is_left(ranks)) {
        stop_threads(ranks);
        drop_fibers(ranks);
    }
    svs__schedulers_forget(ranks);
    svs__deliver_forget(ranks);
    drop_records(ranks);
    ranks->in_phase = ranks->in_run = false;
    status = ranks->ending.verdict.status;
    ranks->over = status != SVS_OK;
    if (svs__is_observed(ranks)) svs__observe_collective(ranks, SVS_COLLECTIVE_RUN, "", false);
    if (!ranks->over) svs__structures_end_run(ranks);
    else memcpy(ranks->text, ranks->ending.verdict.text, sizeof ranks->text);
    if (ranks->ending.verdict.kind == SVS__VERDICT_LEFT) svs__structures_add_waits(ranks);
    return status;
}

svs_status svs_ranks_run(svs_ranks *ranks, svs_fiber_function *start, void *state) {
    svs_status status = check_begin(ranks, start, "svs_ranks_run");
    if (status != SVS_OK) return status;
    if (!enter(ranks)) return refuse_entry(ranks, "svs_ranks_run");
    ranks->idle_ns_max = SVS__NEVER;
    begin(ranks, start, state);
    while (!go_on(ranks)) continue;
    status = end(ranks);
    leave(ranks);
    return status;
}

svs_status svs_ranks_begin(svs_ranks *ranks, svs_fiber_function *start, void *state) {
    svs_status status = check_begin(ranks, start, "svs_ranks_begin");
    if (status != SVS_OK) return status;
    if (!enter(ranks)) return refuse_entry(ranks, "svs_ranks_begin");
    begin(ranks, start, state);
    leave(ranks);
    return SVS_OK;
}

/* Checks a call of svs_ranks_step() or svs_ranks_end(), and enters the run. */
static svs_status check_step(svs_ranks *ranks, const char *call) {
    if (ranks == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "%s: ranks is NULL: pass the rank", call);
    if (!may_drive(ranks)) return refuse_thread(ranks, call);
    if (!enter(ranks)) return refuse_entry(ranks, call);
    if (ranks->in_run) return SVS_OK;
    leave(ranks);
    return svs__refuse(&ranks->log, SVS_E_OUTSIDE, "%s: there is no run: call svs_ranks_begin()",
                       call);
}

svs_status svs_ranks_step(svs_ranks *ranks, uint64_t idle_ns_max) {
    svs_status status = check_step(ranks, "svs_ranks_step");
    if (status != SVS_OK) return status;
    ranks->idle_ns_max = idle_ns_max;
    if (!go_on(ranks)) status = SVS_WAIT;
    leave(ranks);
    return status;
}

svs_status svs_ranks_end(svs_ranks *ranks) {
    svs_status status = check_step(ranks, "svs_ranks_end");
    if (status != SVS_OK) return status;
    if (is_over(ranks)) {
        ranks->idle_ns_max = SVS__NEVER;
        status = end(ranks);
    } else {
        status = svs__refuse(
            &ranks->log, SVS_E_BUSY,
            "svs_ranks_end: the run has not ended: call svs_ranks_step() until it returns SVS_OK");
    }
    leave(ranks);
    return status;
}

svs_status svs_ranks_stop(svs_ranks *ranks, svs_status status) {
    if (ranks == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_ranks_stop: ranks is NULL: pass the rank");
    if (!ranks->in_run)
        return svs__refuse(&ranks->log, SVS_E_OUTSIDE,
                           "svs_ranks_stop: there is no run: call it in a fiber or handler");
    if (status == SVS_OK)
        return svs__refuse(
            &ranks->log, SVS_E_INVALID,
            "svs_ranks_stop: the status is SVS_OK: pass a failure, or let the run end by itself");
    (void)svs__fail(ranks, status, "the run was stopped with %s (%d)", svs_status_name(status),
                    (int)status);
    return SVS_OK;
}
