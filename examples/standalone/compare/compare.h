/* Your locked function against an SvS task over the same data: which is faster, by how much, how
 * sure that is, and whether both come to one result.
 *
 * Put both into yours.c; then
 *
 *     cmake -B build && cmake --build build && build/compare --threads 8
 *
 * Both do `count` pieces of work in any order, on data of their own that `make` made. The locked
 * function is called by threads that take the next pieces from a shared counter; the task is sent
 * an item for each piece. Sends and footprints are inside of what is measured, as locks are. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stddef.h>
#include <svs/svs.h>

typedef struct compare_case {
    const char *name;
    size_t count; /* pieces of work */
    size_t chunk; /* of pieces that a thread takes at once */

    /* Data as they are before the work; the same ones each time. NULL: no memory. */
    void *(*make)(void);
    void (*release)(void *data);

    /* Piece `number`, under the locks that it needs; called from several threads at once. */
    void (*locked)(void *data, size_t number);

    /* The task, and the item that it is sent for piece `number`. */
    const svs_task_type *task;
    void (*item)(void *data, size_t number, void *item);

    /* Whether both did the same: not 0 when they agree. */
    int (*agree)(const void *after_locked, const void *after_svs);
} compare_case;

extern const compare_case yours;

#endif
