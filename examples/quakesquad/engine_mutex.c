/* The rules under fine-grained locks: one for each cell list and one for each body. Each access to
 * guarded data is a write, so reader-writer locks are taken for writing. */
#include "engine.h"

static const looped_rules rules = {rules_collect, rules_blast, rules_step};

static void drop_locks(world *w) {
    for (int kind = 0; kind < BOMB; kind++) lock_table_clean_up(&w->list_locks[kind]);
    for (int kind = 0; kind < KINDS; kind++) lock_table_clean_up(&w->body_locks[kind]);
}

static svs_status open_mutex(world *w, const settings *options, void **state) {
    const native_lock *native = options->engine->team->lock;
    bool made = true;
    for (int kind = 0; kind < BOMB; kind++)
        made &= lock_table_init(&w->list_locks[kind], world_cells(w), options->lock, native);
    for (int kind = 0; kind < KINDS; kind++)
        made &=
            lock_table_init(&w->body_locks[kind], w->options.count[kind], options->lock, native);
    svs_status status = made ? looped_open(w, options, &rules, state) : SVS_E_NO_MEMORY;
    if (!*state) drop_locks(w);
    return status;
}

static void close_mutex(void *state, world *w) {
    looped_close(state, w);
    drop_locks(w);
}

const engine engine_mutex = {"mutex", open_mutex, looped_frame, NULL, close_mutex};
