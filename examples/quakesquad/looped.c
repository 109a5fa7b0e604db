/* The rules as parallel loops: what the engines with locks and with transactions share. */
#include <stdatomic.h>
#include <stdlib.h>

#include "engine.h"

typedef struct looped {
    const settings *options;
    const looped_rules *rules;
    void *team;
    world *in;
    step *steps;
    atomic_int status; /* the first failure of a frame */
} looped;

static void note(looped *e, svs_status status) {
    int none = SVS_OK;
    if (status) atomic_compare_exchange_strong(&e->status, &none, status);
}

svs_status looped_open(world *w, const settings *options, const looped_rules *rules, void **state) {
    uint32_t citizens = w->options.count[CITIZEN], techs = w->options.count[TECH];
    looped *e = calloc(1, sizeof *e);
    if (!e) return SVS_E_NO_MEMORY;
    *state = e;
    e->in = w;
    e->options = options;
    e->rules = rules;
    if (!(e->steps = calloc((citizens > techs ? citizens : techs) + 1u, sizeof(step))))
        return SVS_E_NO_MEMORY;
    e->team = options->engine->team->open(options->threads);
    return e->team ? SVS_OK : SVS_E_THREAD;
}

/* A worker consumes the lists that it makes: no list changes while the bombs are at work, so only
 * bodies need guards. */
static void some_bombs(size_t begin, size_t end, unsigned worker, void *argument) {
    looped *e = argument;
    for (size_t bomb = begin; bomb < end; bomb++)
        for (int kind = CITIZEN; kind <= TECH; kind++) {
            blast it;
            svs_status status = e->rules->collect(e->in, worker, (uint32_t)bomb, kind, &it);
            if (!status) status = e->rules->blast(e->in, worker, &it);
            note(e, status);
        }
}

static void some_steps(size_t begin, size_t end, unsigned worker, void *argument) {
    looped *e = argument;
    for (size_t i = begin; i < end; i++) note(e, e->rules->step(e->in, worker, &e->steps[i]));
}

svs_status looped_frame(void *state, world *w, bool look) {
    looped *e = state;
    const team_kind *team = e->options->engine->team;
    (void)look;
    team->loop(e->team, w->options.count[BOMB], e->options->chunk_bombs, some_bombs, e);
    for (int kind = CITIZEN; kind <= TECH; kind++)
        team->loop(e->team, rules_plan(w, kind, e->steps), e->options->chunk_steps, some_steps, e);
    return atomic_load(&e->status);
}

void looped_close(void *state, world *w) {
    looped *e = state;
    (void)w;
    if (!e) return;
    e->options->engine->team->close(e->team);
    free(e->steps);
    free(e);
}
