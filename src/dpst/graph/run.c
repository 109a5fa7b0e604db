/* Runs of graphs: records the order that the graph gives to its tasks, and when the past is
 * forgotten. */
#include "base/memory.h"
#include "dpst/graph/report.h"
#include "dpst/task/task.h"
#include <stdio.h>
#include <string.h>

static const svs_allocator *const allocator = &svs__graph_allocator;

static svs__graph_run *runs; /* list of all runs, also of those that have ended */
static uint32_t run_count, group_count;

static void free_run(svs__graph_run *run) {
    svs__release(allocator, run->after, (size_t)run->row * run->count * 8 + 8, 8);
    svs__release(allocator, run->names, (run->count + 1) * sizeof *run->names, 8);
    svs__release(allocator, run->cycles, (run->count + 1) * sizeof *run->cycles, 8);
    svs__release(allocator, run, sizeof *run, _Alignof(svs__graph_run));
}

void svs__graph_forget(void) {
    svs__graph_run **at = &runs, *run;
    SVS__ASSERT(svs__load_relaxed(&svs__the_checker.runs) <= 1); /* dpst.G3 */
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
    if (strcmp(graph->name, "graph") != 0) /* the name is the program's, not the default */
        (void)snprintf(run->graph, sizeof run->graph, "%s", graph->name);
    run->after = svs__allocate(allocator, (size_t)run->row * run->count * 8 + 8, 8);
    run->names = svs__allocate(allocator, (run->count + 1) * sizeof *run->names, 8);
    run->cycles = svs__allocate(allocator, (run->count + 1) * sizeof *run->cycles, 8);
    if (run->after == NULL || run->names == NULL || run->cycles == NULL) {
        free_run(run);
        return NULL;
    }
    memcpy(run->after, graph->after, (size_t)run->row * run->count * 8);
    memcpy(run->names, graph->names, run->count * sizeof *run->names);
    memcpy(run->cycles, graph->cycles, run->count * sizeof *run->cycles);
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
    run->number = ++run_count;
    run->first_group = group_count;
    group_count += run->count;
    runs = run;
    svs__lock_release(&checker->lock);
    return run;
}

void svs__graph_iteration_ends(void *argument) {
    svs__checker *checker = &svs__the_checker;
    svs__graph_run *run = argument;
    svs__lock_acquire(&checker->lock);
    if (svs__load_relaxed(&checker->runs) == 1) { /* relaxed: the caller holds the lock */
        svs__graph_forget();
        /* relaxed is enough: nothing of the run is running. */
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
    /* relaxed is enough: the lock is held. */
    if (svs__load_relaxed(&checker->runs) == 0) svs__graph_forget();
    svs__lock_release(&checker->lock);
}

/* ---- hooks of the scheduler and of memory objects ---- */

static const svs__object_watcher object_watcher = {
    .run_begins = svs__graph_run_begins,
    .run_lost = svs__graph_run_lost,
    .iteration_ends = svs__graph_iteration_ends,
    .run_ends = svs__graph_run_ends,
    .begins = svs__graph_begins,
    .ends = svs__graph_ends,
    .touches = svs__graph_touches,
    .sends = svs__graph_sends,
    .made = svs__graph_made,
    .published = svs__graph_published,
    .gone = svs__graph_gone,
    .links = svs__graph_links,
    .world_gone = svs__graph_world_gone,
};

static const svs__graph_hooks graph_hooks = {
    .access = svs__graph_access,
    .clear = svs__graph_clear,
    .note = svs__graph_note,
    .noted = svs__graph_noted,
    .judges = svs__graph_judges,
    .name = svs__graph_name,
    .forgotten = svs__graph_notes_reset,
};

bool svs__graph_init(void) {
    if (!svs__graph_notes_init()) return false;
    if (!svs__graph_pages_init()) {
        svs__graph_notes_clean_up();
        return false;
    }
    svs__graph_counts_reset();
    svs__the_graph_hooks = &graph_hooks;
    svs__store_release(&svs__object_watch, &object_watcher);
    return true;
}

size_t svs__graph_bytes(void) {
    return svs__graph_notes_bytes() + svs__graph_memory_bytes() + svs__graph_pages_bytes();
}

void svs__graph_clean_up(void) {
    svs__store_release(&svs__object_watch, NULL);
    svs__store_relaxed(&svs__graph_used, false);
    svs__graph_forget();
    svs__graph_clean_up_sends();
    svs__graph_pages_clean_up();
    svs__graph_notes_clean_up();
    svs__graph_memory_clean_up();
}

void svs__graph_abandon(void) {
    /* svs__object_watch stays: bodies of the parent's graphs may still end. */
    svs__graph_abandon_runs();
    svs__graph_abandon_sends();
    svs__owners_abandon();
    svs__graph_pages_abandon();
    svs__graph_notes_clean_up();
    svs__graph_memory_abandon();
    svs__graph_counts_abandon();
}
