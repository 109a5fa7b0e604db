#include "ranks/offload.h"
#include "base/lock.h"
#include "base/platform.h"
#include "ranks/observe.h"
#include <svs/ranks/offload.h>

typedef struct job {
    struct job *next;
    svs_async_function *root; /* NULL: a graph */
    void *argument;
    svs_graph *graph;
    uint32_t iterations;
    svs_status status;
    svs_counter *done;
    bool ended;
} job;

typedef struct jobs {
    job *first, *last;
} jobs;

struct svs__offload {
    svs__lock lock;
    bool stops;            /* the helper must end when `queued` is empty */
    jobs queued, finished; /* protected by `lock` */
    /* number of jobs queued, and 1 for the stop; the helper sleeps on it */
    _Atomic(uint32_t) put;
    /* number of jobs that have finished; svs__offload_wait() sleeps on it */
    _Atomic(uint32_t) complete;
    uint32_t taken; /* number of finished jobs that the rank has taken */
    svs_runtime *workers;
    const svs__transport_type *type;
    void *endpoint;
    svs__thread helper;
};

static void append(jobs *list, job *one) {
    one->next = NULL;
    if (list->first == NULL) list->first = one;
    else list->last->next = one;
    list->last = one;
}

static job *take(struct svs__offload *offload, jobs *list) {
    job *one;
    svs__lock_acquire(&offload->lock);
    one = list->first;
    if (one != NULL) list->first = one->next;
    svs__lock_release(&offload->lock);
    return one;
}

static void put(struct svs__offload *offload, jobs *list, job *one) {
    svs__lock_acquire(&offload->lock);
    append(list, one);
    svs__lock_release(&offload->lock);
}

/* ---- the helper ---- */

static void run(struct svs__offload *offload, job *one) {
    one->status = one->root != NULL ? svs_async_run(offload->workers, one->root, one->argument)
                                    : svs_graph_run(one->graph, one->iterations, NULL);
    SVS__ASSERT(!one->ended); /* ranks.O1: once */
    one->ended = true;
    put(offload, &offload->finished, one);
    /* release: pairs with the acquire in is_one_finished(), after which the rank finds the job in
     * the list. */
    (void)svs__fetch_add_release(&offload->complete, 1);
    svs__futex_wake(&offload->complete, 1);
    if (offload->type->wake != NULL) offload->type->wake(offload->endpoint);
}

static bool is_stopped(struct svs__offload *offload) {
    bool stops;
    svs__lock_acquire(&offload->lock);
    stops = offload->stops;
    svs__lock_release(&offload->lock);
    return stops;
}

static void *help(void *argument) {
    struct svs__offload *offload = argument;
    for (;;) {
        /* acquire: pairs with the release in announce(), so that take() finds the jobs that were
         * queued before. */
        uint32_t seen = svs__load_acquire(&offload->put);
        job *one = take(offload, &offload->queued);
        if (one != NULL) run(offload, one);
        else if (is_stopped(offload)) return NULL;
        else svs__futex_wait(&offload->put, seen);
    }
}

static void announce(struct svs__offload *offload) {
    /* release: pairs with the acquire in help(), which finds the job or the stop afterwards. */
    (void)svs__fetch_add_release(&offload->put, 1);
    svs__futex_wake(&offload->put, 1);
}

/* ---- the rank ---- */

static void free_job(svs_ranks *ranks, job *one) {
    svs__release(&ranks->options.allocator, one, sizeof *one, _Alignof(job));
    ranks->offloaded--;
}

static svs_status start(svs_ranks *ranks) {
    struct svs__offload *made;
    if (ranks->offload != NULL) return SVS_OK;
    made = svs__allocate_zeroed(&ranks->options.allocator, sizeof *made,
                                _Alignof(struct svs__offload));
    if (made == NULL) return SVS_E_NO_MEMORY;
    made->workers = ranks->options.workers;
    made->type = ranks->type;
    made->endpoint = ranks->endpoint;
    if (svs__thread_create(&made->helper, help, made, 0) != SVS_OK) {
        svs__release(&ranks->options.allocator, made, sizeof *made, _Alignof(struct svs__offload));
        return SVS_E_THREAD;
    }
    ranks->offload = made;
    return SVS_OK;
}

static svs_status offload(svs_ranks *ranks, const job *what, const char *call) {
    const svs__log *log = ranks == NULL ? NULL : &ranks->log;
    svs_status status;
    job *one;
    if (ranks == NULL || what->done == NULL || (what->root == NULL && what->graph == NULL))
        return svs__refuse(log, SVS_E_NULL,
                           "%s: ranks, root, graph or done is NULL: none of them may be NULL",
                           call);
    if (!ranks->in_run)
        return svs__refuse(log, SVS_E_OUTSIDE, "%s: there is no run: offload in a fiber", call);
    if (ranks->options.workers == NULL)
        return svs__refuse(log, SVS_E_STATE,
                           "%s: the rank has no workers: set options.workers to a runtime", call);
    status = start(ranks);
    if (status != SVS_OK) return status;
    one = svs__allocate(&ranks->options.allocator, sizeof *one, _Alignof(job));
    if (one == NULL) return SVS_E_NO_MEMORY;
    *one = *what;
    ranks->offloaded++;
    put(ranks->offload, &ranks->offload->queued, one);
    announce(ranks->offload);
    return SVS_WAIT;
}

svs_status svs_offload(svs_ranks *ranks, svs_async_function *root, void *argument,
                       svs_counter *done) {
    const job one = {.root = root, .argument = argument, .done = done};
    return offload(ranks, &one, "svs_offload");
}

svs_status svs_offload_graph(svs_ranks *ranks, svs_graph *graph, uint32_t iterations,
                             svs_counter *done) {
    const job one = {.graph = graph, .iterations = iterations, .done = done};
    return offload(ranks, &one, "svs_offload_graph");
}

/* Takes a finished job and ends it. @param counts whether it adds to the job's counter. @return
 * false: there is no finished job. */
static bool end_one(svs_ranks *ranks, bool counts) {
    job *one = take(ranks->offload, &ranks->offload->finished);
    svs_counter *done;
    svs_status status;
    if (one == NULL) return false;
    SVS__ASSERT(one->ended && ranks->offloaded != 0); /* ranks.O1 */
    ranks->offload->taken++;
    done = one->done;
    status = one->status;
    free_job(ranks, one);
    if (!counts) return true;
    if (status != SVS_OK)
        (void)svs__fail(ranks, status, "offloaded work returned %s (%d)", svs_status_name(status),
                        (int)status);
    else svs_counter_add(ranks, done, 1); /* ranks.C2 */
    return true;
}

static bool is_one_finished(const svs_ranks *ranks) {
    /* acquire: pairs with the release in run(). */
    return svs__load_acquire(&ranks->offload->complete) != ranks->offload->taken;
}

bool svs__offload_serve(svs_ranks *ranks) {
    bool any = false;
    if (ranks->offloaded == 0 || ranks->type->wake == NULL || !is_one_finished(ranks)) return false;
    while (end_one(ranks, true)) any = true; /* ranks.O2 */
    return any;
}

static void wait_for_one(svs_ranks *ranks) {
    while (!is_one_finished(ranks))
        svs__futex_wait(&ranks->offload->complete, ranks->offload->taken);
}

bool svs__offload_wait(svs_ranks *ranks) {
    if (ranks->offloaded == 0 || ranks->type->wake != NULL) return false;
    if (svs__is_observed(ranks)) svs__observe_idle(ranks, true);
    wait_for_one(ranks);
    if (svs__is_observed(ranks)) svs__observe_idle(ranks, false);
    return end_one(ranks, true);
}

void svs__offload_end_run(svs_ranks *ranks) {
    job *one;
    if (ranks->offloaded == 0) return;
    while ((one = take(ranks->offload, &ranks->offload->queued)) != NULL) free_job(ranks, one);
    while (ranks->offloaded != 0) {
        wait_for_one(ranks);
        (void)end_one(ranks, false);
    }
}

void svs__offload_clean_up(svs_ranks *ranks) {
    struct svs__offload *offload = ranks->offload;
    if (offload == NULL) return;
    SVS__ASSERT(ranks->offloaded == 0); /* ranks.O1 */
    svs__lock_acquire(&offload->lock);
    offload->stops = true;
    svs__lock_release(&offload->lock);
    announce(offload);
    svs__thread_join(&offload->helper);
    svs__release(&ranks->options.allocator, offload, sizeof *offload,
                 _Alignof(struct svs__offload));
}
