/* For programs drawn from the grammar of C (grammar.py): what their compiled bodies access, byte by
 * byte, is held against what the generated touch functions name (drawn.c). */
#ifndef DRAWN_H
#define DRAWN_H

#include <complex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <svs/scan.h>

typedef struct drawn_task {
    const svs_task_type *type;
    void (*fill)(void *item);
} drawn_task;

/* `set` sets what belongs to a thread. The names of its variables end with `_` and its number. */
typedef struct drawn_program {
    unsigned number;
    const drawn_task *tasks;
    unsigned task_count;
    void (*set)(void);
} drawn_program;

extern const drawn_program *const drawn_programs[];
extern const unsigned drawn_count;

/* A number below n; and one of a few that are at the ends of types. */
int drawn_below(int n);
int drawn_edge(void);

#endif
