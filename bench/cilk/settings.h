/* The command line of a program of the suite. */
#ifndef BENCH_CILK_SETTINGS_H
#define BENCH_CILK_SETTINGS_H

#include "program.h"

#include <stdbool.h>

#define SETTINGS_OPEN UINT32_MAX

typedef struct settings {
    /* SVS_POLICY_HELP_FIRST or SVS_POLICY_WORK_FIRST; SETTINGS_OPEN: it was not given */
    uint32_t policy;
    uint32_t threads; /* 0: it was not given */
    uint32_t repeat;
    bool verify, timed, measure;
    const char *trace, *replay; /* files, or NULL */
    cilk_size size;
} settings;

/* The policies' names for --policy, in the order of their values. */
extern const char *const settings_policies[];

/* The numbers of the program's --size. */
size_t settings_size_count(const cilk_program *program);

/* Ends the program after --help, and with an error and status 2 when it does not understand. */
settings settings_parse(const cilk_program *program, int argc, char **argv);

#endif
