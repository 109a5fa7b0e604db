/* The engines of a program: one array, from which --engine takes its names.
 *
 *     const engine_choice engine_choices[] = {
 *         {"serial", &engine_serial, NULL, LOCKS_BEST, NULL},
 *         {"mutex", &engine_mutex, &team_pthreads, LOCKS_SPIN, NULL},
 *         {NULL, NULL, NULL, LOCKS_BEST, NULL}};
 *
 * An engine without its library stays in the array, with the reason. If it is selected, the program
 * prints the reason and exits with EXIT_ENGINE_ABSENT, which tests and benchmarks treat as
 * "skipped". */
#ifndef EXAMPLES_COMMON_ENGINE_CHOICE_H
#define EXAMPLES_COMMON_ENGINE_CHOICE_H

#include "common/lock_table.h"
#include "common/option_table.h"
#include "common/team.h"

#define EXIT_ENGINE_ABSENT 77

typedef struct engine_choice {
    const char *name;
    const void *methods;   /* the program's table of functions for an engine */
    const team_kind *team; /* NULL: it needs none */
    lock_form best_lock;   /* what it is fastest with; LOCKS_BEST: it does not lock */
    const char *absent;    /* why it is not there, unless its team says so */
} engine_choice;

/* Each program has one; a choice without a name ends it. */
extern const engine_choice engine_choices[];

/* @return NULL: there is no engine of that name. */
const engine_choice *engine_named(const char *name);

/* Why the engine cannot be had, or NULL. */
const char *engine_absent(const engine_choice *engine);

/* The text of --engine; ends the program when it names none, or an absent one. */
const engine_choice *option_engine(const struct argp_state *state, const char *text);

/* Its row, and that of --lock, in a table of options. */
option_take option_take_engine;
#define OPTION_ENGINE(type, member)                                                                \
    option_take_engine, OPTION_MEMBER(type, member), 0, 0, 0, 0, NULL
#define OPTION_LOCK(type, member, group)                                                           \
    {                                                                                              \
        "lock", 0, "NAME",                                                                         \
            "Engines that lock: pthread, spin, striped, rw, or native, the lock of the library "   \
            "that runs "                                                                           \
            "the loops (default: the engine's fastest)",                                           \
            group, OPTION_CHOICE(type, member, lock_form_names)                                    \
    }

/* Engine svs: the row of --algorithm; a value of svs_algorithm. */
extern const char *const engine_algorithm_names[];
#define OPTION_ALGORITHM(type, member, group)                                                      \
    {                                                                                              \
        "algorithm", 0, "NAME", "Engine svs: default, staged or progressive (default)", group,     \
            OPTION_CHOICE(type, member, engine_algorithm_names)                                    \
    }

/* The form of the locks that an engine has when the user asks for `wanted`; LOCKS_BEST for an
 * engine without locks. Ends the program when a native lock is asked for and the engine's team has
 * none. */
lock_form option_engine_lock(const struct argp_state *state, const engine_choice *engine,
                             lock_form wanted);

/* The name of the form in results; for a native lock, the library's name. */
const char *engine_lock_name(const engine_choice *engine, lock_form form);

#endif
