/* Where in the tree a step is, for reports.
 *
 *     svs__path_item items[32];
 *     size_t count = svs__check_path(step, items, 32);
 *
 * What is told depends on the program alone: a scope that stands for what was behind a stolen
 * continuation (node.h, racecheck.B3) is left out, and its children are counted on from those
 * before it.
 *
 * Threads: the one that runs a step that is checked, about that step and those that it races with.
 * */
#ifndef SVS_RACECHECK_TREE_PATH_H
#define SVS_RACECHECK_TREE_PATH_H

#include <stddef.h>
#include <stdint.h>
#include <svs/status.h>

enum { SVS__PATH_FINISH, SVS__PATH_ASYNC, SVS__PATH_STEP, SVS__PATH_INSTANCE };

typedef struct svs__path_item {
    uint32_t kind;
    uint32_t number;  /* among all children of what is above it, from 1 on */
    const void *site; /* the function that an async, or a task's instance, runs */
} svs__path_item;

/* From the run that the step is in down to the step; when there are more than `most`, the lowest.
 * @return how many. */
SVS_API size_t svs__check_path(uint32_t step, svs__path_item *items, size_t most);

#endif
