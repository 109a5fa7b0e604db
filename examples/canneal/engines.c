/* The engines of canneal. */
#include "annealing.h"

const engine_choice engine_choices[] = {
    {"serial", &engine_serial, NULL, LOCKS_BEST, NULL},
    {"mutex", &engine_mutex, &team_pthreads, LOCKS_STRIPED, NULL},
    {"atomic", &engine_atomic, NULL, LOCKS_BEST, NULL},
    {"svs", &engine_svs, NULL, LOCKS_BEST, NULL},
    {"scanned", &engine_scanned, NULL, LOCKS_BEST, NULL},
    {NULL, NULL, NULL, LOCKS_BEST, NULL}};
