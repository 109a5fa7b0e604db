/* The command line. */
#ifndef QUAKESQUAD_OPTIONS_H
#define QUAKESQUAD_OPTIONS_H

#include "world.h"

#include <svs/graph.h>

typedef enum engine_kind { ENGINE_SVS, ENGINE_SERIAL, ENGINE_MUTEX } engine_kind;

typedef struct settings {
    world_options world;
    engine_kind engine;
    uint32_t threads;
    uint32_t frames;
    uint32_t settle; /* frames that are played before the engine begins */
    const char *svg; /* NULL: no picture */
    bool check;      /* the invariants after every frame */
    bool check_width;
    lock_kind lock;
    svs_algorithm algorithm;
    svs_world_options objects;
    uint32_t stage_conflicts;
} settings;

/* Ends the process with status 2 and a message when something is wrong with the arguments. */
void options_parse(settings *into, int argc, char **argv);

#endif
