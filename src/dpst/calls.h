/* The functions of the race check's core that svs::check calls, besides those for accesses
 * (shadow/access.h): for the begin and the end of a memory's life, and for the path of a step in
 * reports.
 *
 * Threads: any. */
#ifndef SVS_DPST_CALLS_H
#define SVS_DPST_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <svs/status.h>

/* Begins a new life of these bytes: earlier accesses to them are forgotten. The caller has not
 * handed the bytes on yet. It may also be a thread that runs no task, while a run is in
 * progress. */
SVS_API void svs__check_allocated(const void *block, size_t bytes);
/* svs__check_allocated() for a block of the heap. All uses of the block follow its allocation, so
 * the allocation counts as a write by the running step. Blocks of the library itself are exempt:
 * records and arguments pass from task to task. */
SVS_API void svs__check_taken(const void *block, size_t bytes, const void *pc);
/* Ends the life of a block of the heap, which counts as a write to the block. Called before any
 * other thread can get the block. */
SVS_API void svs__check_freed(const void *block, size_t bytes, const void *pc);

/* Compares the accesses in the calling thread's streams (dpst.C4); called before a report. */
SVS_API void svs__check_settle(void);

/* ---- the path of a step ----
 *
 *     svs__path_item items[32];
 *     size_t count = svs__check_path(step, items, 32);
 *
 * The path depends on the program alone. A scope for the code after a stolen continuation
 * (tree/node.h, dpst.B3) is left out, and the numbers of its children continue those of the
 * children before it. A thread asks about the step that it runs, and about steps that race with
 * it. */

enum { SVS__PATH_FINISH, SVS__PATH_ASYNC, SVS__PATH_STEP, SVS__PATH_INSTANCE };

typedef struct svs__path_item {
    uint32_t kind;
    uint32_t number;  /* number among all children of the node above, counted from 1 */
    const void *site; /* the function that an async, or a task's instance, runs */
} svs__path_item;

/* Writes the path from the run of the step down to the step; if it has more than `most` items, its
 * lowest ones. @return the number of items written. */
SVS_API size_t svs__check_path(uint32_t step, svs__path_item *items, size_t most);

/* After this call, a child of fork() starts with an empty check and may run checks of its own
 * (forked.c). May be called again. The caller holds no lock that is acquired while checks run. */
void svs__check_survive_forks(void);

#endif
