/* The rules under fine-grained locks: one for each cell list and one for each body, each in a cache
 * line of its own. */
#include "common/parallel.h"
#include "engine.h"
#include "rules.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct mutex_engine {
    parallel_pool *pool;
    world *in;
    step *steps;
    atomic_int status; /* the first failure of a frame */
} mutex_engine;

static void note(mutex_engine *e, svs_status status) {
    int none = SVS_OK;
    if (status) atomic_compare_exchange_strong(&e->status, &none, status);
}

static svs_status make_locks(world *w, lock_kind lock) {
    for (int kind = 0; kind < KINDS; kind++) {
        if (kind != BOMB && !(w->list_locks[kind] = padded_locks_new(world_cells(w), lock)))
            return SVS_E_NO_MEMORY;
        if (!(w->body_locks[kind] = padded_locks_new(w->options.count[kind] + 1u, lock)))
            return SVS_E_NO_MEMORY;
    }
    return SVS_OK;
}

static void drop_locks(world *w) {
    for (int kind = 0; kind < KINDS; kind++) {
        if (kind != BOMB) padded_locks_free(w->list_locks[kind], world_cells(w));
        padded_locks_free(w->body_locks[kind], w->options.count[kind] + 1u);
        w->body_locks[kind] = NULL;
        if (kind != BOMB) w->list_locks[kind] = NULL;
    }
}

static svs_status open_mutex(world *w, const settings *options, void **state) {
    uint32_t citizens = w->options.count[CITIZEN], techs = w->options.count[TECH];
    mutex_engine *e = calloc(1, sizeof *e);
    if (!e) return SVS_E_NO_MEMORY;
    *state = e;
    e->in = w;
    if (!(e->steps = calloc((citizens > techs ? citizens : techs) + 1u, sizeof(step))))
        return SVS_E_NO_MEMORY;
    if (!(e->pool = parallel_pool_new(options->threads))) return SVS_E_THREAD;
    return make_locks(w, options->lock);
}

/* A worker consumes the lists that it makes: no list changes while the bombs are at work, so only
 * bodies need locks. */
static void some_bombs(size_t begin, size_t end, unsigned worker, void *argument) {
    mutex_engine *e = argument;
    for (size_t bomb = begin; bomb < end; bomb++)
        for (int kind = CITIZEN; kind <= TECH; kind++) {
            blast it;
            svs_status status = rules_collect(e->in, worker, (uint32_t)bomb, kind, &it);
            if (!status) status = rules_blast(e->in, worker, &it);
            note(e, status);
        }
}

static void some_steps(size_t begin, size_t end, unsigned worker, void *argument) {
    mutex_engine *e = argument;
    for (size_t i = begin; i < end; i++) note(e, rules_step(e->in, worker, &e->steps[i]));
}

static svs_status frame_mutex(void *state, world *w, bool look) {
    mutex_engine *e = state;
    (void)look;
    parallel_for(e->pool, w->options.count[BOMB], 4, some_bombs, e);
    for (int kind = CITIZEN; kind <= TECH; kind++)
        parallel_for(e->pool, rules_plan(w, kind, e->steps), 32, some_steps, e);
    return atomic_load(&e->status);
}

static void close_mutex(void *state, world *w) {
    mutex_engine *e = state;
    if (!e) return;
    parallel_pool_free(e->pool);
    drop_locks(w);
    free(e->steps);
    free(e);
}

const engine engine_mutex = {"mutex", open_mutex, frame_mutex, NULL, close_mutex};
