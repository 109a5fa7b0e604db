/* Engines: they schedule the rules serially, with locks, or with the library. */
#ifndef QUAKESQUAD_ENGINE_H
#define QUAKESQUAD_ENGINE_H

#include "options.h"
#include "rules.h"

#include <stdio.h>

/* The mean parallel width of steps and blasts since the previous call. */
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

/* engine_mutex works with every team; the engine_choice names the team that runs its loops. */
extern const engine engine_serial, engine_mutex, engine_svs;

/* Common code of the engines with loops (looped.c): the rules as parallel loops of a team. */
typedef struct looped_rules {
    svs_status (*collect)(world *w, uint32_t worker, uint32_t bomb, entity_kind kind, blast *made);
    svs_status (*blast)(world *w, uint32_t worker, const blast *it);
    svs_status (*step)(world *w, uint32_t worker, const step *it);
} looped_rules;

svs_status looped_open(world *w, const settings *options, const looped_rules *rules, void **state);
svs_status looped_frame(void *state, world *w, bool look);
void looped_close(void *state, world *w);

#endif
