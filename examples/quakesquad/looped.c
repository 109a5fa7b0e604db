/* The rules as parallel loops: what the engines with locks and with transactions share. */
#include <stdatomic.h>
#include <stdlib.h>

#include "engine.h"

typedef struct looped {
    const settings *options;
    const looped_rules *rules;
    void *team;
    world *in;
    plan plan;
    atomic_int status; /* the first failure of a frame */
} looped;

static void note(looped *e, svs_status status) {
    int none = SVS_OK;
    if (status) atomic_compare_exchange_strong(&e->status, &none, status);
}

svs_status looped_open(world *w, const settings *options, const looped_rules *rules, void **state) {
    looped *e = calloc(1, sizeof *e);
    if (!e) return SVS_E_NO_MEMORY;
    *state = e;
    e->in = w;
    e->options = options;
    e->rules = rules;
    if (!plan_init(&e->plan, w)) return SVS_E_NO_MEMORY;
    e->team = options->engine->team->open(options->threads);
    return e->team ? SVS_OK : SVS_E_THREAD;
}

/* A worker consumes the lists that it builds. No cell list changes during the blasts, so only
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

/* People are numbered from the first citizen to the last tech; the two kinds are independent. */
static void some_aims(size_t begin, size_t end, unsigned worker, void *argument) {
    looped *e = argument;
    uint32_t citizens = e->in->options.count[CITIZEN];
    (void)worker;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        if (i < citizens) rules_aim(e->in, CITIZEN, i, &e->plan);
        else rules_aim(e->in, TECH, i - citizens, &e->plan);
    }
}

static void some_steps(size_t begin, size_t end, unsigned worker, void *argument) {
    looped *e = argument;
    uint32_t citizens = e->in->options.count[CITIZEN];
    for (size_t i = begin; i < end; i++) {
        const step *it =
            i < citizens ? &e->plan.steps[CITIZEN][i] : &e->plan.steps[TECH][i - citizens];
        if (it->place) note(e, e->rules->step(e->in, worker, it));
    }
}

svs_status looped_frame(void *state, world *w) {
    looped *e = state;
    const team_kind *team = e->options->engine->team;
    size_t people = (size_t)w->options.count[CITIZEN] + w->options.count[TECH];
    team->loop(e->team, w->options.count[BOMB], e->options->chunk_bombs, some_bombs, e);
    team->loop(e->team, people, e->options->chunk_steps, some_aims, e);
    for (int kind = CITIZEN; kind <= TECH; kind++) rules_make_room(w, kind, &e->plan);
    team->loop(e->team, people, e->options->chunk_steps, some_steps, e);
    return atomic_load(&e->status);
}

void looped_close(void *state, world *w) {
    looped *e = state;
    (void)w;
    if (!e) return;
    e->options->engine->team->close(e->team);
    plan_clean_up(&e->plan);
    free(e);
}
