#include "common/engine_choice.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/numbers.h"

#define ENGINES_MAX 16

const engine_choice *engine_named(const char *name) {
    for (const engine_choice *e = engine_choices; e->name; e++)
        if (!strcmp(e->name, name)) return e;
    return NULL;
}

const char *engine_absent(const engine_choice *engine) {
    return engine->team && engine->team->absent ? engine->team->absent : engine->absent;
}

const engine_choice *option_engine(const struct argp_state *state, const char *text) {
    const char *names[ENGINES_MAX + 1] = {NULL};
    for (int i = 0; i < ENGINES_MAX && engine_choices[i].name; i++)
        names[i] = engine_choices[i].name;
    const engine_choice *chosen = &engine_choices[option_choice(state, "engine", text, names)];
    const char *absent = engine_absent(chosen);
    if (!absent) return chosen;
    fprintf(stderr, "%s: engine %s is skipped: %s\n", state->name, text, absent);
    exit(EXIT_ENGINE_ABSENT);
}

void option_take_engine(const struct argp_state *state, const option_row *row, const char *text,
                        void *member) {
    (void)row;
    *(const engine_choice **)member = option_engine(state, text);
}

lock_form option_engine_lock(const struct argp_state *state, const engine_choice *engine,
                             lock_form wanted) {
    if (wanted == LOCKS_BEST || engine->best_lock == LOCKS_BEST) return engine->best_lock;
    if (wanted == LOCKS_NATIVE && !engine->team->lock)
        argp_error(state, "--lock: the engine %s brings no lock of its own", engine->name);
    return wanted;
}

const char *const engine_algorithm_names[] = {"default", "staged", "progressive", NULL};

const char *engine_lock_name(const engine_choice *engine, lock_form form) {
    return form == LOCKS_NATIVE ? engine->team->lock->name : lock_form_names[form];
}
