/* A temporary folder for a test, its files, and programs that run in it. */
#ifndef EXAMPLES_COMMON_TESTS_WORKPLACE_H
#define EXAMPLES_COMMON_TESTS_WORKPLACE_H

#include <stdbool.h>
#include <stddef.h>

#define OUTPUT_MAX 262144

typedef struct outcome {
    int status; /* the exit status; -1: ended by a signal */
    char out[OUTPUT_MAX];
    char err[OUTPUT_MAX];
} outcome;

/* cmocka's group set-up and clean-up. */
int workplace_open(void **state);
int workplace_close(void **state);

/* The path of `name` in the folder, in static storage that the next call overwrites. */
const char *workplace_path(const char *name);

/* Writes a file and returns its path, as above. */
const char *workplace_write(const char *name, const void *bytes, size_t count);

/* Runs a program, found along PATH, with the arguments up to NULL. The result is overwritten by the
 * next call.
 * @return NULL when it cannot be started. */
const outcome *workplace_run(const char *program, ...);

#endif
