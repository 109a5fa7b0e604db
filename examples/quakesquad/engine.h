/* Engines: they schedule the rules serially, with locks, or with the library. */
#ifndef QUAKESQUAD_ENGINE_H
#define QUAKESQUAD_ENGINE_H

#include "options.h"
#include "rules.h"

typedef struct engine {
    const char *name;
    /* `state` stays NULL until there is something to close. */
    svs_status (*open)(world *w, const settings *options, void **state);
    /* All of a frame after world_tick(). */
    svs_status (*frame)(void *state, world *w);
    /* What it has counted in all frames, " key=value" each; NULL: nothing. */
    void (*describe)(void *state, char *text, size_t size);
    void (*close)(void *state, world *w);
} engine;

/* engine_mutex works with every team; the engine_choice names the team that runs its loops. */
extern const engine engine_serial, engine_mutex, engine_svs, engine_scanned;

/* Common code of the engines with loops (looped.c): the rules as parallel loops of a team. */
typedef struct looped_rules {
    svs_status (*collect)(world *w, uint32_t worker, uint32_t bomb, entity_kind kind, blast *made);
    svs_status (*blast)(world *w, uint32_t worker, const blast *it);
    svs_status (*step)(world *w, uint32_t worker, const step *it);
} looped_rules;

svs_status looped_open(world *w, const settings *options, const looped_rules *rules, void **state);
svs_status looped_frame(void *state, world *w);
void looped_close(void *state, world *w);

#endif
