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
    bool check_width;
    lock_form lock;
    uint32_t chunk_bombs, chunk_steps; /* per chunk or instance */
    svs_algorithm algorithm;
    uint32_t spin_us;
    bool reach; /* the bombs' lists are made of memory objects */
    svs_world_options objects;
    uint32_t stage_conflicts;
} settings;

/* Ends the process with status 2 and a message when something is wrong with the arguments. */
void options_parse(settings *into, int argc, char **argv);

#endif
