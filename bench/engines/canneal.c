/* The engines of bench_canneal: canneal's own, and those of other libraries. */
#include "canneal/annealing.h"
#include "teams.h"

extern const annealing_engine engine_stm;

const engine_choice engine_choices[] = {
    {"serial", &engine_serial, NULL, LOCKS_BEST, NULL},
    {"mutex", &engine_mutex, &team_pthreads, LOCKS_STRIPED, NULL},
    {"tbb", &engine_mutex, &team_tbb, LOCKS_STRIPED, NULL},
    {"openmp", &engine_mutex, &team_openmp, LOCKS_STRIPED, NULL},
    {STM_CHOICE(engine_stm)},
    {"atomic", &engine_atomic, NULL, LOCKS_BEST, NULL},
    {"svs", &engine_svs, NULL, LOCKS_BEST, NULL},
    {"scanned", &engine_scanned, NULL, LOCKS_BEST, NULL},
    {NULL, NULL, NULL, LOCKS_BEST, NULL}};
