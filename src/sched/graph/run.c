/* A run: its begin and its end. */
#include "sched/graph/run.h"
#include "sched/graph/send.h"

#include <string.h>

#include "base/check.h"
#include "memobj/world.h"
#include "sched/admission/lease.h"
#include "sched/admission/memory.h"
#include "sched/domain/instance/contexts.h"
#include "sched/domain/queue/inbox.h"
#include "sched/graph/check_hooks.h"
#include "sched/graph/failure.h"
#include "sched/graph/iteration.h"
#include "sched/graph/statistics.h"
#include "sched/graph/step.h"

/* Called in the child process of a fork() in a body: makes the body fail, whatever it returns, so
 * that the child process ends. */
static void mark_forked(void) {
    svs__holder *holder = svs__holder_self();
    if (!holder) return;
    /* relaxed is enough: the child process has one thread */
    svs__store_relaxed(&holder->status, SVS_E_FORKED);
    svs__holder_use(holder);
}

static void clear_run(svs__run *run, uint32_t iterations, svs__kit *kit) {
    run->env.number++;
    run->env.iteration = 0;
    run->iterations = iterations;
    svs__lock_acquire(&run->lock); /* sched.T6 */
    memset(&run->report, 0, sizeof run->report);
    run->asked_to_end = false;
    svs__store_relaxed(&run->env.cancelled, 0);
    svs__store_relaxed(&run->done, 0);
    svs__contexts_bind(&run->env, kit);
    run->ended = 0;
    svs__lock_release(&run->lock);
}

/* Called when the run has ended, or could not begin: gives its contexts back to the world, for the
 * next run. */
static void give_back(svs__run *run) {
    svs__kit *kit;
    svs__lock_acquire(&run->lock); /* svs_graph_progress() reads the contexts */
    run->ended = svs__contexts_ended(&run->env);
    kit = svs__contexts_unbind(&run->env);
    svs__lock_release(&run->lock);
    svs__contexts_give(&run->env, kit);
}

static bool begin_domains(const svs_graph *graph) {
    for (uint32_t i = 0; i <= graph->tasks.count; i++) {
        svs__domain *domain = &graph->run.domains[i];
        if (domain->algorithm->begin && !domain->algorithm->begin(domain)) return false;
    }
    return true;
}

static void end_domains(const svs_graph *graph) {
    for (uint32_t i = 0; i <= graph->tasks.count; i++) {
        svs__domain *domain = &graph->run.domains[i];
        if (domain->algorithm->end) domain->algorithm->end(domain);
    }
}

static const svs__reports reports = {svs__run_ended, svs__run_fail, svs__run_sent};

svs_status svs__run_begin(svs_graph *graph, uint32_t iterations, svs__at_end at_end) {
    svs__run *run = &graph->run;
    svs_world *world = graph->world;
    svs_status status;
    svs__kit *kit = svs__contexts_take(&run->env);
    if (!kit) return SVS_E_NO_MEMORY;
    if (!begin_domains(graph)) {
        end_domains(graph);
        svs__contexts_give(&run->env, kit);
        return SVS_E_NO_MEMORY;
    }
    svs__run_make_source(run);
    run->env.reports = &reports;
    svs__process_on_fork(mark_forked);
    run->at_end = at_end;
    clear_run(run, iterations, kit);
    if (iterations == 0) {
        svs__run_done(run);
        return SVS_OK;
    }
    svs__watched_run_begin(run);
    svs__seen_run_begin(run);
    /* relaxed is enough: the attach publishes it */
    svs__store_relaxed(&run->env.runner, svs__thread_id());
    if (run->pinned) svs__runtime_particular_begin(world->runtime);
    status = svs__runtime_attach(world->runtime, &run->job);
    if (status) {
        if (run->pinned) svs__runtime_particular_end(world->runtime);
        if (SVS__UNLIKELY(run->env.watched != NULL)) svs__watched_run_end(run);
        give_back(run);
        return status;
    }
    svs__run_recall(run);
    /* relaxed is enough: a thread that changes the priority now calls svs__runtime_prioritize()
     * itself afterwards. */
    if (svs__load_relaxed(&run->priority))
        svs__runtime_prioritize(world->runtime, &run->job, &run->priority);
    svs__statistics_sum(graph, &run->before);
    svs__world_enter(world);
    if (svs__load_seq(&world->runs) > 1) svs__admission_expect_run(run->env.admission);
    svs__run_first(run);
    return SVS_OK;
}

void svs__run_end(svs_graph *graph) {
    svs__run *run = &graph->run;
    svs_world *world = graph->world;
    svs_graph_statistics after;
    SVS__ASSERT(svs__run_is_done(run)); /* sched.T5 */
    if (run->iterations == 0) {
        give_back(run);
        return;
    }
    svs__runtime_detach(world->runtime, &run->job);
    if (run->pinned) svs__runtime_particular_end(world->runtime);
    /* sched.A2: if anything is still held, another run in the world holds it. */
    SVS__ASSERT_SLOW(svs__admission_is_empty(run->env.admission) ||
                     svs__load_seq(&world->runs) > 1);
    svs__statistics_sum(graph, &after);
    /* called before the world is left, while no space can be freed */
    svs__statistics_tell_narrow(run, &run->before, &after);
    svs__world_leave(world);
    svs__world_quiesce(world, NULL);
    for (uint32_t i = 0; i < graph->tasks.count; i++)
        svs__inbox_trim(graph->tasks.items[i], svs__env_cancelled(&run->env));
    if (SVS__UNLIKELY(run->env.watched != NULL)) svs__watched_run_end(run);
    end_domains(graph);
    give_back(run);
}
