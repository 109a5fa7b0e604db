/* A target for libFuzzer: whatever words fluidanimate is started with, they are refused, or are
 * inside of the limits that its --help states. */
#include "words.h"

#include "fluidanimate/options.c"

#include <math.h>

/* The program's table of engines, of which only the names matter here. */
const simulation_engine engine_serial;
static const team_kind team;
const engine_choice engine_choices[] = {{"svs", NULL, NULL, LOCKS_BEST, NULL},
                                        {"serial", &engine_serial, NULL, LOCKS_BEST, NULL},
                                        {"mutex", NULL, &team, LOCKS_SPIN, NULL},
                                        {NULL, NULL, NULL, LOCKS_BEST, NULL}};

static void try_fluidanimate(int count, char **words) {
    arguments all;
    const simulation_options *o = &all.options;
    options_parse(&all, count, words);
    if (refused) return;
    SVS_CHECK(o->engine >= engine_choices && o->engine->name != NULL);
    SVS_CHECK(is_within(o->threads, 1, 1024) && o->frames <= 1000000);
    SVS_CHECK(o->engine->methods != &engine_serial || o->threads == 1);
    SVS_CHECK(o->blocks_x <= 1024 && o->blocks_z <= 1024);
    SVS_CHECK(o->lock == LOCKS_BEST || o->engine->best_lock != LOCKS_BEST);
    SVS_CHECK(all.path_count == (all.compare ? 2 : 1));
    for (int i = 0; i < all.path_count; i++) SVS_CHECK(all.paths[i] != NULL);
    SVS_CHECK(isfinite(all.tolerance) && all.tolerance >= 0 && all.tolerance <= 1e3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    words_try(try_fluidanimate, data, size);
    return 0;
}
