/* Runs of graphs: what the graph says of its tasks' order, and when the past is forgotten. */
#include "base/memory.h"
#include "racecheck/graph/graph.h"
#include "racecheck/graph/memory.h"
#include "racecheck/graph/report.h"
#include "racecheck/graph/watch.h"
#include "racecheck/task/task.h"
#include <stdio.h>
#include <string.h>

static const svs_allocator *const allocator = &svs__graph_allocator;

static svs__graph_run *runs; /* all, also those that have ended */

static void free_run(svs__graph_run *run) {
    svs__release(allocator, run->after, (size_t)run->row * run->count * 8 + 8, 8);
    svs__release(allocator, run->names, (run->count + 1) * sizeof *run->names, 8);
    svs__release(allocator, run, sizeof *run, _Alignof(svs__graph_run));
}

void svs__graph_forget(void) {
    svs__graph_run **at = &runs, *run;
    while ((run = *at) != NULL) {
        if (!run->ended) {
            at = &run->next;
            continue;
        }
        *at = run->next;
        free_run(run);
    }
    svs__graph_forget_sends();
    svs__graph_memory_forget();
}

void svs__graph_abandon_runs(void) {
    svs__store_relaxed(&svs__graph_used, false); /* relaxed: no other thread is there */
    runs = NULL;
}

static svs__graph_run *make_run(const svs__watched_graph *graph, svs__check *check) {
    svs__graph_run *run = svs__allocate_zeroed(allocator, sizeof *run, _Alignof(svs__graph_run));
    if (run == NULL) return NULL;
    run->check = check;
    run->world = graph->world;
    run->count = graph->count;
    run->row = graph->row;
    (void)snprintf(run->name, sizeof run->name, "%s", graph->name);
    run->after = svs__allocate(allocator, (size_t)run->row * run->count * 8 + 8, 8);
    run->names = svs__allocate(allocator, (run->count + 1) * sizeof *run->names, 8);
    if (run->after == NULL || run->names == NULL) {
        free_run(run);
        return NULL;
    }
    memcpy(run->after, graph->after, (size_t)run->row * run->count * 8);
    memcpy(run->names, graph->names, run->count * sizeof *run->names);
    return run;
}

void svs__graph_run_lost(const svs_world *world) {
    if (world->runtime->watcher != NULL) svs__graph_lose();
}

void *svs__graph_run_begins(const svs__watched_graph *graph) {
    svs__checker *checker = &svs__the_checker;
    svs__watcher *watcher = graph->world->runtime->watcher;
    svs__graph_run *run = watcher == NULL ? NULL : make_run(graph, (svs__check *)(void *)watcher);
    if (run == NULL) {
        svs__graph_run_lost(graph->world);
        return NULL;
    }
    svs__store_relaxed(&svs__graph_used, true);
    watcher->run_begins(watcher, &run->watched);
    svs__lock_acquire(&checker->lock);
    run->next = runs;
    runs = run;
    svs__lock_release(&checker->lock);
    return run;
}

void svs__graph_iteration_ends(void *argument) {
    svs__checker *checker = &svs__the_checker;
    svs__graph_run *run = argument;
    svs__lock_acquire(&checker->lock);
    if (svs__load_relaxed(&checker->runs) == 1) { /* relaxed: under the lock */
        svs__graph_forget();
        /* relaxed: nothing of it runs. */
        if (svs__root_iterated(&run->watched)) svs__store_relaxed(&run->sequence, 0);
    }
    svs__lock_release(&checker->lock);
}

void svs__graph_run_ends(void *argument) {
    svs__checker *checker = &svs__the_checker;
    svs__graph_run *run = argument;
    svs__graph_watcher(run)->run_ends(svs__graph_watcher(run), &run->watched);
    svs__lock_acquire(&checker->lock);
    run->ended = true;
    /* relaxed: under the lock. */
    if (svs__load_relaxed(&checker->runs) == 0) svs__graph_forget();
    svs__lock_release(&checker->lock);
}
