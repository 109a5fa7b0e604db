/* The engines of bench_quakesquad: quakesquad's own, engine svs on threads of the program, those of
 * other libraries, and the meter of widths. */
#include "quakesquad/engine.h"
#include "teams.h"

extern const engine engine_stm, engine_greedy, engine_lent;

const engine_choice engine_choices[] = {{"svs", &engine_svs, NULL, LOCKS_BEST, NULL},
                                        {"lent", &engine_lent, NULL, LOCKS_BEST, NULL},
                                        {"scanned", &engine_scanned, NULL, LOCKS_BEST, NULL},
                                        {"serial", &engine_serial, NULL, LOCKS_BEST, NULL},
                                        {"mutex", &engine_mutex, &team_pthreads, LOCKS_SPIN, NULL},
                                        {"tbb", &engine_mutex, &team_tbb, LOCKS_SPIN, NULL},
                                        {"openmp", &engine_mutex, &team_openmp, LOCKS_SPIN, NULL},
                                        {STM_CHOICE(engine_stm)},
                                        {"greedy", &engine_greedy, NULL, LOCKS_BEST, NULL},
                                        {NULL, NULL, NULL, LOCKS_BEST, NULL}};
