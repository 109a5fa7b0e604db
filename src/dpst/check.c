#include "base/memory.h"
#include "base/sized.h"
#include "dpst/calls.h"
#include "dpst/graph/report.h"
#include "dpst/shadow/spd3.h"
#include "dpst/task/gc.h"
#include "dpst/task/task.h"
#include "worksteal/events.h"
#include <string.h>

#define DEFAULT_BYTES ((size_t)4 << 30)
/* Number of nodes made after which the past is forgotten, at the next occasion. */
#define FORGET_AT ((uint32_t)1 << 19)
/* Number of nodes made before the first collection. */
#define SWEEP_NODES ((uint32_t)1 << 15)
/* Number of races that are logged when the program has no callback for them. */
#define RACES_LOGGED 16u

static const svs_check_options defaults = {.size = sizeof defaults,
                                           .lca = SVS_CHECK_LCA_LABELS,
#if defined(SVS_SLOW_CHECKS)
                                           .compare = true,
#endif
                                           .max_bytes = DEFAULT_BYTES,
                                           .sweep_nodes = SWEEP_NODES};

void svs_check_options_init_sized(svs_check_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
    else
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_check_options_init: no options: pass the address of a struct");
}

/* The default of svs_check_options.found: logs the race. */
static void log_race(const svs_check_race *race, void *argument) {
    svs__checker *checker = &svs__the_checker;
    const svs__log *log = NULL;
    (void)argument;
    svs__lock_acquire(&checker->lock);
    if (checker->checks != NULL) log = svs__runtime_log(checker->checks->runtime);
    if (log != NULL && checker->logged++ < RACES_LOGGED)
        svs__log_write(log, SVS_LOG_ERROR,
                       "race: %zu bytes at %p: a %s at %p, and nothing orders it and the %s at %p "
                       "before it",
                       race->bytes, race->address, race->now.write ? "write" : "read", race->now.pc,
                       race->before.write ? "write" : "read", race->before.pc);
    svs__lock_release(&checker->lock);
}

/* ---- start ---- */

/* The allocation function of the library while a check is active. */
static void *allocate_for_library(const svs_allocator *allocator, size_t size, size_t alignment) {
    bool before = svs__check_marks.library;
    void *memory;
    svs__check_marks.library = true;
    memory = allocator->allocate(size, alignment, svs__thread_index(), allocator->argument);
    svs__check_marks.library = before;
    return memory;
}

/* Sets up what the process has once; called when its first check begins. */
static bool init_checker(const svs_check_options *options) {
    svs__checker *checker = &svs__the_checker;
    checker->options = *options;
    if (checker->options.found == NULL) checker->options.found = log_race;
    if (!svs__tree_init(&checker->tree, options->max_bytes)) return false;
    if (!svs__shadow_init(options->max_bytes)) goto no_shadow;
    if (!svs__graph_init()) goto no_graph;
    checker->forget_at = checker->tree.max / 2 < FORGET_AT ? checker->tree.max / 2 : FORGET_AT;
    svs__sweep_init(options->sweep_nodes);
    checker->top = svs__tree_top();
    checker->waiting = 0;
    svs__store_relaxed(&checker->runs, 0);        /* relaxed: nothing runs */
    svs__store_relaxed(&checker->most_levels, 0); /* relaxed: as above */
    checker->level_count = checker->strays = checker->logged = 0;
    checker->most_nodes = 0;
    checker->collapses = checker->nodes_before = checker->phases_before = checker->rootless = 0;
    memset(&checker->block, 0, sizeof checker->block);
    /* relaxed: as above; a thread sees it when it takes part in a run. */
    svs__store_relaxed(&svs__allocate_through, allocate_for_library);
    return true;

no_graph:
    svs__shadow_clean_up();
no_shadow:
    svs__tree_clean_up(&checker->tree);
    return false;
}

static void clean_up_checker(void) {
    svs__store_relaxed(&svs__allocate_through, NULL); /* relaxed: nothing runs */
    svs__lock_acquire(&svs__the_checker.lives);       /* dpst.X10 */
    svs__graph_clean_up();
    svs__shadow_clean_up();
    svs__tree_clean_up(&svs__the_checker.tree);
    svs__lock_release(&svs__the_checker.lives);
}

static size_t workers_bytes(const svs_runtime *runtime) {
    return runtime->options.threads * sizeof(svs__check_worker);
}

static void free_check(svs__check *check) {
    const svs_allocator *allocator = svs__runtime_allocator(check->runtime);
    for (uint32_t i = 0; check->workers != NULL && i < check->runtime->options.threads; i++)
        svs__check_worker_clean_up(allocator, &check->workers[i]);
    svs__release(allocator, check->workers, workers_bytes(check->runtime),
                 _Alignof(svs__check_worker));
    svs__release(allocator, check, sizeof *check, _Alignof(svs__check));
}

static svs__check *new_check(svs_runtime *runtime, uint64_t seed) {
    const svs_allocator *allocator = svs__runtime_allocator(runtime);
    svs__check *check = svs__allocate_zeroed(allocator, sizeof *check, _Alignof(svs__check));
    if (check == NULL) return NULL;
    svs__watcher_init(&check->watcher);
    check->runtime = runtime;
    check->workers =
        svs__allocate_zeroed(allocator, workers_bytes(runtime), _Alignof(svs__check_worker));
    if (check->workers == NULL) {
        free_check(check);
        return NULL;
    }
    for (uint32_t i = 0; i < runtime->options.threads; i++)
        svs__random_seed(&check->workers[i].random, seed + i);
    return check;
}

/* Starts a check. The caller holds the checker's lock. */
static svs_status start(svs_runtime *runtime, const svs_check_options *options) {
    svs__checker *checker = &svs__the_checker;
    svs__check *check = new_check(runtime, options->seed);
    svs_status status = SVS_E_NO_MEMORY;
    if (check == NULL) return status;
    if (checker->checks != NULL || init_checker(options)) {
        status = svs__runtime_watch(runtime, &check->watcher);
        if (status == SVS_OK) {
            check->next = checker->checks;
            checker->checks = check;
            svs__graph_begin(runtime);
            return SVS_OK;
        }
        if (checker->checks == NULL) clean_up_checker();
    }
    free_check(check);
    return status;
}

static svs_status refuse_missing(const char *call) {
    return svs__refuse(NULL, SVS_E_NULL, "%s: no runtime: did svs_runtime_new() fail?", call);
}

static svs_status refuse_unchecked(const svs_runtime *runtime, const char *call) {
    return svs__refuse(svs__runtime_log(runtime), SVS_E_STATE,
                       "%s: the runtime is not checked: call svs_check_start() first", call);
}

svs_status svs_check_start(svs_runtime *runtime, const svs_check_options *options) {
    static const char call[] = "svs_check_start";
    svs_check_options chosen = defaults;
    svs_status status;
    if (runtime == NULL) return refuse_missing(call);
    if (options != NULL && svs__options_take(&chosen, sizeof chosen, options))
        return svs__refuse(svs__runtime_log(runtime), SVS_E_VERSION,
                           "%s: options of another version: fill them with "
                           "svs_check_options_init()",
                           call);
    if (chosen.lca > SVS_CHECK_LCA_WALK)
        return svs__refuse(svs__runtime_log(runtime), SVS_E_INVALID,
                           "%s: an unknown way to find ancestors: choose SVS_CHECK_LCA_LABELS, "
                           "SVS_CHECK_LCA_STEAL_TREE or SVS_CHECK_LCA_WALK",
                           call);
    svs__check_survive_forks();
    svs__libraries_expect_threads();
    svs__lock_acquire(&svs__the_checker.lock);
    status = start(runtime, &chosen);
    svs__lock_release(&svs__the_checker.lock);
    if (status == SVS_OK) svs__runtime_hold(runtime);
    return status;
}

/* ---- the end ---- */

static void add_worker(svs_check_summary *summary, svs__check_worker *worker) {
    /* relaxed is enough, here and below: each number is independent of the others. */
    summary->accesses += svs__load_relaxed(&worker->accesses);
    summary->steps += svs__load_relaxed(&worker->steps);
    summary->queries += svs__load_relaxed(&worker->queries);
    for (int i = 0; i < 3; i++) summary->edges[i] += svs__load_relaxed(&worker->edges[i]);
    summary->races += svs__load_relaxed(&worker->races);
    summary->lost += svs__load_relaxed(&worker->lost);
    summary->merged += svs__load_relaxed(&worker->merged);
}

/* Adds the counts of the process. The caller holds the lock, while a check is active. */
static void add_checker(svs_check_summary *summary) {
    svs__checker *checker = &svs__the_checker;
    svs__dpst_tree *tree = &checker->tree;
    uint32_t most = svs__load_relaxed(&tree->used);
    summary->nodes += checker->nodes_before + svs__load_relaxed(&tree->made);
    summary->most_nodes = most > checker->most_nodes ? most : checker->most_nodes;
    summary->sweeps += svs__load_relaxed(&checker->sweep.sweeps);
    summary->phases += checker->phases_before + svs__load_relaxed(&tree->phased) +
                       svs__load_relaxed(&tree->reused);
    summary->collapses += checker->collapses;
    summary->lost += checker->rootless;
    svs__graph_counts_add(summary);
    summary->bytes = svs__tree_bytes(tree) + svs__shadow_bytes() + svs__graph_bytes();
}

static void summarize(const svs__check *check, svs_check_summary *summary) {
    memset(summary, 0, sizeof *summary);
    for (uint32_t i = 0; i < check->runtime->options.threads; i++)
        add_worker(summary, &check->workers[i]);
    add_checker(summary);
}

static svs__check **find(const svs_runtime *runtime) {
    svs__check **at = &svs__the_checker.checks;
    while (*at != NULL && (*at)->runtime != runtime) at = &(*at)->next;
    return at;
}

/* Stops a check. The caller holds the checker's lock. */
static svs_status stop(svs_runtime *runtime, svs_check_summary *summary) {
    svs__check **at = find(runtime), *check = *at;
    svs_status status;
    if (check == NULL) return refuse_unchecked(runtime, "svs_check_stop");
    status = svs__runtime_watch(runtime, NULL);
    if (status) return status;
    summarize(check, summary);
    *at = check->next;
    free_check(check);
    if (svs__the_checker.checks == NULL) clean_up_checker();
    return SVS_OK;
}

svs_status svs_check_stop_sized(svs_runtime *runtime, svs_check_summary *summary, size_t size) {
    svs_check_summary counted;
    svs_status status;
    if (runtime == NULL) return refuse_missing("svs_check_stop");
    svs__lock_acquire(&svs__the_checker.lock);
    status = stop(runtime, &counted);
    svs__lock_release(&svs__the_checker.lock);
    if (status) return status;
    svs__runtime_unhold(runtime);
    if (summary != NULL) svs__output_put(summary, size, &counted, sizeof counted);
    return SVS_OK;
}

svs_status svs_check_summary_get_sized(svs_runtime *runtime, svs_check_summary *summary,
                                       size_t size) {
    static const char call[] = "svs_check_summary_get";
    svs_check_summary counted = {0};
    svs__check *check;
    if (runtime == NULL) return refuse_missing(call);
    if (summary == NULL)
        return svs__refuse(svs__runtime_log(runtime), SVS_E_NULL,
                           "%s: no place for the summary: pass one", call);
    svs__lock_acquire(&svs__the_checker.lock);
    check = *find(runtime);
    if (check != NULL) summarize(check, &counted);
    svs__lock_release(&svs__the_checker.lock);
    svs__output_put(summary, size, &counted, sizeof counted);
    return check != NULL ? SVS_OK : refuse_unchecked(runtime, call);
}

/* ---- accesses by hand ---- */

void svs_check_read(const void *memory, size_t bytes) {
    svs__check_access(memory, bytes, false, __builtin_return_address(0));
}

void svs_check_write(const void *memory, size_t bytes) {
    svs__check_access(memory, bytes, true, __builtin_return_address(0));
}

void svs_check_alloc(const void *block, size_t bytes) {
    svs__check_taken(block, bytes, __builtin_return_address(0));
}

void svs_check_free(const void *block, size_t bytes) {
    svs__check_freed(block, bytes, __builtin_return_address(0));
}

void svs_check_ignore_begin(void) { svs__check_ignore(svs__check_self, true); }

void svs_check_ignore_end(void) { svs__check_ignore(svs__check_self, false); }
