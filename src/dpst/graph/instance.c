/* Instances, as their bodies begin and end; and which instance a node of the tree belongs to. */
#include "base/memory.h"
#include "base/pages.h"
#include "dpst/graph/graph.h"
#include "dpst/task/task.h"
#include <string.h>

/* ---- which instance a node belongs to ---- */

/* The note of each node. The instance may be used only while it runs: its memory may be that of
 * another one later (dpst.G3). */
typedef struct note {
    svs__instance *instance;
    uint64_t id;
} note;
static note *notes;

static size_t notes_bytes(void) { return svs__the_checker.tree.max * sizeof *notes; }

bool svs__graph_notes_init(void) {
    notes = svs__pages_map(notes_bytes());
    return notes != NULL;
}

void svs__graph_notes_clean_up(void) {
    svs__pages_unmap(notes, notes_bytes());
    notes = NULL;
}

size_t svs__graph_notes_bytes(void) {
    return notes == NULL ? 0 : svs__pages_touched(notes, notes_bytes());
}

void svs__graph_note(uint32_t node, svs__instance *instance) {
    notes[node].instance = instance;
    notes[node].id = instance->id;
}

svs__instance *svs__graph_noted(uint32_t node) { return notes[node].instance; }

bool svs__graph_judges(const svs__instance *instance, uint32_t other) {
    return notes[other].id != 0 && notes[other].id != instance->id;
}

void svs__graph_notes_reset(void) {
    if (notes != NULL) svs__pages_forget(notes, notes_bytes());
}

/* ---- bodies ---- */

void *svs__graph_begins(const svs__watched_instance *told, svs__worker *worker, void *top) {
    static _Atomic(uint64_t) ids = 1;
    svs__graph_run *run = told->run;
    svs__watcher *watcher = svs__graph_watcher(run);
    svs__instance *instance = svs__graph_allocate(sizeof *instance);
    svs__scope scope = {run->watched.root, 0, 0};
    if (instance == NULL) {
        svs__worker_count(&run->check->workers[worker->index].lost, 1);
        return NULL;
    }
    memset(instance, 0, sizeof *instance);
    /* relaxed is enough, here and below: the numbers only have to be unique. */
    instance->id = svs__fetch_add_relaxed(&ids, 1);
    scope.next = svs__fetch_add_relaxed(&run->sequence, 1) + 1;
    instance->run = run;
    instance->order = told->order;
    instance->task = told->task;
    instance->iteration = told->iteration;
    instance->set = told->set;
    svs__graph_declare(instance, told->set);
    svs__graph_find_sender(instance);
    if (scope.node != 0)
        instance->node =
            svs__tree_append(&svs__the_checker.tree, &run->check->workers[worker->index].block,
                             &scope, SVS__NODE_INSTANCE, NULL);
    if (instance->node != 0) svs__graph_note(instance->node, instance);
    instance->outer =
        watcher->begins(watcher, worker, &worker->deque.async, instance->node, false, top);
    return instance;
}

void svs__graph_ends(void *argument, svs__worker *worker) {
    svs__instance *instance = argument;
    svs__watcher *watcher = svs__graph_watcher(instance->run);
    watcher->ends(watcher, worker, &worker->deque.async, instance->outer);
    svs__lock_acquire(&instance->set_lock);
    instance->set = NULL;
    svs__lock_release(&instance->set_lock);
}

/* Another step begins with each change of this state, after the accesses of the last step were
 * judged. */
void svs__graph_touches(void *argument, const void *item, size_t bytes, bool begins) {
    svs__instance *instance = argument;
    svs__check_next_step(svs__check_self);
    instance->touching = begins;
    instance->item = (uintptr_t)item;
    instance->item_end = (uintptr_t)item + bytes;
}
