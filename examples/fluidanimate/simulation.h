/* Simulates frames of a fluid with one of several engines. An engine schedules the passes of a
 * frame and prevents concurrent writes of cells that two blocks share. */
#ifndef FLUIDANIMATE_SIMULATION_H
#define FLUIDANIMATE_SIMULATION_H

#include "common/engine_choice.h"
#include "fluid.h"

#define SIMULATION_TEXT 384

typedef struct simulation_options {
    const engine_choice *engine; /* its methods: a simulation_engine */
    uint32_t threads;
    uint32_t frames;
    uint32_t blocks_x, blocks_z; /* columns of cells; 0: the engine's choice */
    unsigned algorithm;          /* svs: an svs_algorithm; 0: the default one */
    lock_form lock;              /* form of the locks of an engine that locks */
} simulation_options;

typedef struct simulation {
    simulation_options options;
    fluid *what;
    void *engine_state; /* the engine's */
    char error[SIMULATION_TEXT];
} simulation;

typedef struct simulation_result {
    double seconds, cpu_seconds; /* time of the frames alone */
    double prepare_seconds;      /* cuts, starts and stops: all but the frames and the files */
    double frame_ms, frame_ms_p99, frame_ms_max; /* mean, 99th percentile and longest */
    char details[SIMULATION_TEXT];               /* details of the engine */
} simulation_result;

/* How an engine runs a frame. `start` and `frame` return NULL, or an error text that lasts until
 * `stop`. */
typedef struct simulation_engine {
    /* blocks along x and z when the user names none */
    void (*choose_blocks)(const simulation *sim, uint32_t *x, uint32_t *z);
    const char *(*start)(simulation *sim);
    const char *(*frame)(simulation *sim);
    void (*describe)(simulation *sim, char *text, size_t size); /* more " key=value" pairs */
    void (*stop)(simulation *sim);                              /* also after a start that failed */
} simulation_engine;

/* engine_mutex works with every team; the engine_choice names the team that runs its loops. */
extern const simulation_engine engine_serial, engine_mutex, engine_svs;

/* Runs the frames. @return NULL, or what went wrong. */
const char *simulation_run(simulation *sim, simulation_result *result);

#endif
