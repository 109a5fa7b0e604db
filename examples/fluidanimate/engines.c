/* The engines of fluidanimate. */
#include "simulation.h"

const engine_choice engine_choices[] = {{"serial", &engine_serial, NULL, LOCKS_BEST, NULL},
                                        {"mutex", &engine_mutex, &team_pthreads, LOCKS_SPIN, NULL},
                                        {"svs", &engine_svs, NULL, LOCKS_BEST, NULL},
                                        {NULL, NULL, NULL, LOCKS_BEST, NULL}};
