/* Small programs with and without races, one of which is run: program CASE THREADS POLICY.
 *
 * A line that takes part in a race has a mark in a comment, [case.a], by which the test finds its
 * number. */
#ifndef CASES_H
#define CASES_H

#include <svs/svs.h>

typedef struct check_case {
    const char *name;
    svs_async_function *run; /* the root */
} check_case;

#ifdef __cplusplus
extern "C" {
#endif

/* Spawns both; they run beside each other, and get `argument` itself. */
void spawn_two(svs_async_context *async, svs_async_function *one, svs_async_function *other,
               void *argument);

/* Runs the case that the arguments name. */
int run_case(const check_case *cases, size_t count, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
