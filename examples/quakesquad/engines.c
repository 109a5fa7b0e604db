/* The engines of quakesquad. */
#include "engine.h"

const engine_choice engine_choices[] = {{"svs", &engine_svs, NULL, LOCKS_BEST, NULL},
                                        {"scanned", &engine_scanned, NULL, LOCKS_BEST, NULL},
                                        {"serial", &engine_serial, NULL, LOCKS_BEST, NULL},
                                        {"mutex", &engine_mutex, &team_pthreads, LOCKS_SPIN, NULL},
                                        {NULL, NULL, NULL, LOCKS_BEST, NULL}};
