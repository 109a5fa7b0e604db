/* What schedules the rules: serially, with locks, or by the library. */
#ifndef QUAKESQUAD_ENGINE_H
#define QUAKESQUAD_ENGINE_H

#include "options.h"
#include "rules.h"

#include <stdio.h>

/* How many steps and blasts ran side by side, since the last time that it was asked for. */
typedef struct engine_width {
    double instances;
    double stages;           /* staged: sets of instances that were released together */
    double greedy_instances; /* in the frames that were looked into */
    double greedy_colours;
    uint64_t refreshes; /* since the start */
} engine_width;

typedef struct engine {
    const char *name;
    /* `state` stays NULL until there is something to close. */
    svs_status (*open)(world *w, const settings *options, void **state);
    /* All of a frame after world_tick(). `look`: find what greedy colouring would give. */
    svs_status (*frame)(void *state, world *w, bool look);
    void (*width)(void *state, engine_width *width);
    /* Of all frames, for the last line, " key=value" each; NULL: nothing is counted. */
    void (*counts)(void *state, FILE *out);
    void (*close)(void *state, world *w);
} engine;

/* engine_mutex is for every team: who runs its loops is the choice's affair. */
extern const engine engine_serial, engine_mutex, engine_svs;

/* What the engines with loops have in common (looped.c): the rules as parallel loops of a team. */
typedef struct looped_rules {
    svs_status (*collect)(world *w, uint32_t worker, uint32_t bomb, entity_kind kind, blast *made);
    svs_status (*blast)(world *w, uint32_t worker, const blast *it);
    svs_status (*step)(world *w, uint32_t worker, const step *it);
} looped_rules;

svs_status looped_open(world *w, const settings *options, const looped_rules *rules, void **state);
svs_status looped_frame(void *state, world *w, bool look);
void looped_close(void *state, world *w);

#endif
