/* A target for libFuzzer: whatever words canneal is started with, they are refused, or are inside
 * of the limits that its --help states. */
#include "words.h"

#include "canneal/options.c"

#include <math.h>

/* The program's table of engines, of which only the names matter here. */
const annealing_engine engine_serial, engine_svs;
static const team_kind team;
const engine_choice engine_choices[] = {{"svs", &engine_svs, NULL, LOCKS_BEST, NULL},
                                        {"serial", &engine_serial, NULL, LOCKS_BEST, NULL},
                                        {"mutex", NULL, &team, LOCKS_SPIN, NULL},
                                        {NULL, NULL, NULL, LOCKS_BEST, NULL}};

static void try_canneal(int count, char **words) {
    arguments all;
    const annealing_options *o = &all.options;
    options_parse(&all, count, words);
    if (refused) return;
    SVS_CHECK(all.path != NULL && o->engine >= engine_choices && o->engine->name != NULL);
    SVS_CHECK(is_within(o->threads, 1, 1024) && o->swaps >= 1);
    SVS_CHECK(o->engine->methods != &engine_serial || o->threads == 1);
    SVS_CHECK(isfinite(o->temperature) && o->temperature >= 1e-9 && o->temperature <= 1e12);
    SVS_CHECK(o->steps >= -1 && o->steps <= 1000000);
    SVS_CHECK(!o->exact || o->engine->methods == &engine_svs);
    SVS_CHECK(o->signature_bits == 0 || is_within(o->signature_bits, 64, 4096));
    SVS_CHECK(o->cell_bits >= -1 && o->cell_bits <= 20);
    SVS_CHECK(o->chunk <= ANNEALING_CHUNK_MAX);
    SVS_CHECK(o->lock == LOCKS_BEST || o->engine->best_lock != LOCKS_BEST);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    words_try(try_canneal, data, size);
    return 0;
}
