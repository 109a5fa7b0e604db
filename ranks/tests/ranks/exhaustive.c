/* The search of tests/explore, by which `sim` is asked for its choices. */
#include "ranks/exhaustive.h"
#include "explore/strategy.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static const char *exploring = "";
static atomic_bool choosing; /* local ranks set it at once, though only `sim` reads it */

void exhaustive_begin(void) { atomic_store_explicit(&choosing, true, memory_order_relaxed); }

void explore_fail(const char *format, ...) {
    va_list values;
    fprintf(stderr, "%s: ", exploring);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    strategy_print(0);
    fprintf(stderr, "\n");
    exit(1);
}

/* Each deviation costs: an unusual answer, or one candidate that is passed over. */
static uint32_t choose(void *argument, svs__sim_choice choice, const uint32_t *options,
                       uint32_t count, uint32_t usual) {
    uint32_t chosen = usual < count ? usual : 0;
    if (!atomic_load_explicit(&choosing, memory_order_relaxed)) return chosen;
    for (uint32_t passed = 1; passed < count && strategy_holds(); passed++)
        chosen = (chosen + 1) % count;
    return chosen;
}

void exhaustive_run(const rank_program *program, uint32_t deviations) {
    uint64_t runs = 0;
    exploring = program->name;
    strategy_set(EXPLORE_EXHAUSTIVE, deviations, 0);
    do {
        svs__sim_options options = {.choose = choose};
        const char *wrong;
        strategy_begin(0);
        atomic_store_explicit(&choosing, false, memory_order_relaxed);
        wrong = program_once(program, &options);
        if (wrong != NULL) explore_fail("%s", wrong);
        runs++;
    } while (strategy_end());
    printf("%s: %llu schedules\n", program->name, (unsigned long long)runs);
}
