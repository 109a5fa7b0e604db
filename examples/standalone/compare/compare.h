/* Compares your locked function with an SvS task over the same data: the ratio of their times, its
 * confidence interval, and whether both compute the same result.
 *
 * Put both into yours.c; then
 *
 *     cmake -B build && cmake --build build && build/compare --threads 8
 *
 * Both process `count` pieces of work in any order, each on its own data from `make`. Threads that
 * take pieces from a shared counter call the locked function; the task gets one item per piece. The
 * measured time includes sends and footprints, as it includes locks. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stddef.h>
#include <svs/svs.h>

typedef struct compare_case {
    const char *name;
    size_t count; /* pieces of work */
    size_t chunk; /* pieces that a thread takes at once */

    /* Creates the initial data, always the same. @return NULL: no memory. */
    void *(*make)(void);
    void (*release)(void *data);

    /* Processes piece `number` under its locks. Several threads call it concurrently. */
    void (*locked)(void *data, size_t number);

    /* The task type, and the item for piece `number`. */
    const svs_task_type *task;
    void (*item)(void *data, size_t number, void *item);

    /* @return not 0 if both results agree. */
    int (*agree)(const void *after_locked, const void *after_svs);
} compare_case;

extern const compare_case yours;

#endif
