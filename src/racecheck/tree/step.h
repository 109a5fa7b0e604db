/* A task that is checked, and the step of it that a thread runs: what accesses need of them.
 *
 * Threads: the one that runs the task. */
#ifndef SVS_RACECHECK_TREE_STEP_H
#define SVS_RACECHECK_TREE_STEP_H

#include "racecheck/tree/checker.h"

/* A finish of a task, in which it has spawned. */
typedef struct svs__open {
    /* Its node, or the last that is behind a stolen continuation (node.h, racecheck.B3). */
    svs__scope scope;
    uint32_t node;
    const svs__slot *base; /* NULL: the task itself */
    struct svs__open *outer;
} svs__open;

typedef struct svs__check_task {
    svs__open self;
    svs__open *open;           /* the innermost */
    char *top;                 /* of what the task has of a stack */
    const char *low;           /* while it is not on a thread; as the fields below */
    svs__check_worker *worker; /* the last one */
    const svs__stack *stack;   /* that it was begun on; NULL: a worker's own */
    svs__slot *base;           /* of the async context that it was begun on */
    uint32_t step, ignored, frame, frames_lost;
    bool is_root;
    bool has_spawned;               /* itself, not in a finish */
    struct svs__instance *instance; /* of a graph, that it belongs to; or NULL */
    struct svs__check_task *next;
} svs__check_task;

/* The step that the calling thread runs has its number from here on. @return 0: there is no
 * room. */
uint32_t svs__step_make(svs__check_thread *self);

/* Is this in the async context of the calling thread's task, which inline functions of the
 * program write to? */
bool svs__check_is_of_async(const svs__check_thread *self, uintptr_t address);

/* The stack of the calling thread's task is below. */
uintptr_t svs__check_stack_top(const svs__check_thread *self);

/* The task that the calling thread runs has used its stack down to there. */
void svs__check_stack_touched(svs__check_thread *self, uintptr_t address);

#endif
