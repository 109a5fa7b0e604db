/* What the scheduler and the memory objects call (hooks/object_hooks.h) while a check is on. */
#include "racecheck/graph/watch.h"
#include "racecheck/graph/memory.h"
#include "racecheck/graph/owner.h"
#include "racecheck/graph/report.h"

static const svs__object_watcher watcher = {
    .run_begins = svs__graph_run_begins,
    .run_lost = svs__graph_run_lost,
    .iteration_ends = svs__graph_iteration_ends,
    .run_ends = svs__graph_run_ends,
    .begins = svs__graph_begins,
    .ends = svs__graph_ends,
    .sends = svs__graph_sends,
    .made = svs__graph_made,
    .handed_off = svs__graph_handed_off,
    .gone = svs__graph_gone,
    .links = svs__graph_links,
    .world_gone = svs__graph_world_gone,
};

static const svs__graph_hooks hooks = {
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
    svs__the_graph_hooks = &hooks;
    svs__store_release(&svs__object_watch, &watcher);
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
