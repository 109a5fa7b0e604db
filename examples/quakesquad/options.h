/* The command line. */
#ifndef QUAKESQUAD_OPTIONS_H
#define QUAKESQUAD_OPTIONS_H

#include "common/engine_choice.h"
#include "world.h"

#include <svs/graph.h>

typedef struct settings {
    world_options world;
    const engine_choice *engine; /* its methods: an engine */
    uint32_t threads;
    uint32_t frames;
    uint32_t settle; /* frames that are played before the engine begins */
    const char *svg; /* NULL: no picture */
    bool check;      /* the invariants after every frame */
    lock_form lock;
    uint32_t chunk_bombs, chunk_steps; /* engines with loops: per chunk */
    svs_algorithm algorithm;
    uint32_t spin_us;
    svs_world_options objects;
} settings;

/* Ends the process with status 2 and a message when something is wrong with the arguments. */
void options_parse(settings *into, int argc, char **argv);

#endif
