/* What schedules the rules: serially, with locks, or by the library. */
#ifndef QUAKESQUAD_ENGINE_H
#define QUAKESQUAD_ENGINE_H

#include "options.h"

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
    /* While nothing is linked. `state` stays NULL until there is something to close. */
    svs_status (*open)(world *w, const settings *options, void **state);
    /* All of a frame after world_tick(). `look`: find what greedy colouring would give. */
    svs_status (*frame)(void *state, world *w, bool look);
    void (*width)(void *state, engine_width *width);
    void (*close)(void *state, world *w);
} engine;

extern const engine engine_serial, engine_mutex, engine_svs;

#endif
