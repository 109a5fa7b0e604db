/* A task stealer: a pool of tasks on each rank, and tasks that move from full pools to empty ones,
 * until none is left on any rank (section 2.2.3 of Wen's thesis).
 *
 *     // on each rank, outside of a run
 *     svs_stealer_options_init(&options);
 *     options.name = "intervals";
 *     options.task_bytes = sizeof(interval);
 *     svs_stealer_new(ranks, &options, &stealer);
 *
 *     // in a fiber of each rank: the first tasks, then
 *     svs_stealer_wait(stealer, &mine->terminated);
 *     // in another one, a worker: a task, and again
 *     while (svs_stealer_remove(stealer, &me->task, &me->bytes, &me->available) == SVS_OK ||
 *            ... wait for `available` ...) {
 *         if (me->bytes == SVS_STEALER_END) break;
 *         ... run it, which may svs_stealer_add() further tasks ...
 *         svs_stealer_complete(stealer);
 *     }
 *
 * A task is plain bytes. It is *pooled* from its add to its removal, on one rank or between two,
 * and *in progress* from there to its completion. Tasks are removed from this rank's pool, and of a
 * pool by priority; between two ranks priorities order nothing.
 *
 * Stealing: a rank whose pool has less than `threshold` tasks asks other ranks, its victims, one at
 * a time. A victim gives half of the work in its pool, and at most `buffer_bytes` of tasks: first
 * those that have moved before, then those with the least migration penalty for each unit of work.
 * A rank with no task in progress keeps one. When all victims have refused, their neighbours in the
 * network are told once, and give as soon as they have something (lifelines): an idle rank sends
 * nothing. A request is served in place: a rank in a long task serves it in svs_poll().
 *
 * Pushing instead (SVS_STEALER_PUSH): a task goes to a random rank when it is added.
 *
 * Termination: when each rank has called svs_stealer_wait(), and no task is pooled or in progress
 * on any, the stealer has terminated, and its removals that wait end. Tasks are then added by tasks
 * in progress alone, or before this rank's call of wait. After it the stealer may be used again:
 * add, and wait. Several stealers that share a snapshot terminate together.
 *
 * Memory: a task that another rank cannot be sent at once waits in the memory of its sender. A rank
 * that has no memory for a task that arrives ends the run.
 *
 * Threads: as <svs/ranks/rank.h> says. Each call that is refused says why in the log. */
#ifndef SVS_RANKS_STEALER_H
#define SVS_RANKS_STEALER_H

#include <svs/ranks/fiber.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_stealer svs_stealer;

#define SVS_STEALER_NAME 24u /* bytes of a name, with the terminating zero */
#define SVS_STEALER_ANY UINT32_MAX
#define SVS_STEALER_END SIZE_MAX

typedef enum svs_stealer_network {
    SVS_STEALER_RANDOM, /* asks `tries` random victims, and then for lifelines along a hypercube */
    SVS_STEALER_RING,
    SVS_STEALER_HYPERCUBE, /* neighbours are r and r ^ 2^i, for any number of ranks */
    SVS_STEALER_CROSSBAR,
    SVS_STEALER_OWN, /* the program defines it by `neighbour` */
    SVS_STEALER_PUSH /* a task moves when it is added; no steals */
} svs_stealer_network;

/* Estimates that the program makes for a task, in a unit of its choice. */
typedef struct svs_stealer_hint {
    int64_t priority;   /* tasks with the highest priority are removed first */
    uint32_t work;      /* the work in the task; 0 counts as 1 */
    uint32_t migration; /* the penalty of a move to another rank */
} svs_stealer_hint;

/* The neighbour of `rank` at position `which`; SVS_STEALER_ANY: it has no more. */
typedef uint32_t svs_stealer_neighbour(uint32_t rank, uint32_t ranks, uint32_t which,
                                       void *argument);

typedef struct svs_stealer_options {
    size_t size;           /* size of this struct, filled by svs_stealer_options_init() */
    const char *name;      /* name of the stealer, distinct from those of other stealers */
    uint32_t task_bytes;   /* size of the largest task, at most 2^20 */
    uint32_t buffer_bytes; /* most bytes that one steal moves, 24 for each task included (16384) */
    /* a rank with fewer tasks in its pool asks for more (1); 0: it never asks */
    uint32_t threshold;
    uint32_t tries; /* SVS_STEALER_RANDOM: how many victims are asked before lifelines (2) */
    svs_stealer_network network;
    uint32_t reserved; /* 0 */
    /* SVS_STEALER_OWN: the network, which is the same on all ranks, symmetric and connected. */
    svs_stealer_neighbour *neighbour;
    void *argument;
    uint64_t seed;            /* seed of the choice of random victims and ranks */
    svs_stealer *snapshot_of; /* a stealer that terminates together with this one, or NULL */
} svs_stealer_options;

SVS_API void svs_stealer_options_init_sized(svs_stealer_options *options, size_t size);
static inline void svs_stealer_options_init(svs_stealer_options *svs_options_) {
    svs_stealer_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes a stealer. Collective, outside of a run. The options are the same on all ranks, except
 * `threshold` and `seed`.
 * @return as svs_structure_new(); SVS_E_INVALID (the options, or the network). */
SVS_NODISCARD SVS_API svs_status svs_stealer_new(svs_ranks *ranks,
                                                 const svs_stealer_options *options,
                                                 svs_stealer **stealer);

/* Frees a stealer after its termination. Collective, in a run or not. A stealer that is not freed
 * by this call is freed with the rank.
 * @return as svs_structure_free(); SVS_E_BUSY (it has tasks, or removals or a termination that are
 * waited for). */
SVS_NODISCARD SVS_API svs_status svs_stealer_free(svs_stealer *stealer, svs_counter *done);

/* Adds a task to the pool of rank `to`. @param to SVS_STEALER_ANY: this rank, or a random one if
 * the stealer pushes. @param hint NULL: zeros.
 * @return SVS_OK; SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_INVALID (no such rank, or a task of
 * more than task_bytes), SVS_E_NO_MEMORY (it is not added). */
SVS_NODISCARD SVS_API svs_status svs_stealer_add(svs_stealer *stealer, uint32_t to,
                                                 const void *task, size_t bytes,
                                                 const svs_stealer_hint *hint);

/* Removes a task from this rank's pool. @param task room for task_bytes. @param bytes receives its
 * size, or SVS_STEALER_END if the stealer has terminated and there is no task. Both belong to the
 * stealer until `available` goes up by 1.
 * @return SVS_OK (removed), SVS_WAIT (the task comes later); SVS_E_NULL, SVS_E_OUTSIDE,
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_stealer_remove(svs_stealer *stealer, void *task, size_t *bytes,
                                                    svs_counter *available);

/* Tells the stealer that a task which this rank has removed is complete.
 * @return SVS_OK, SVS_E_NULL, SVS_E_STATE (none is in progress). */
SVS_NODISCARD SVS_API svs_status svs_stealer_complete(svs_stealer *stealer);

/* Waits for the termination: `terminated` goes up by 1 then. Collective; called once for all
 * stealers that share a snapshot.
 * @return SVS_WAIT, SVS_E_NULL, SVS_E_OUTSIDE, SVS_E_BUSY (this rank waits already),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_stealer_wait(svs_stealer *stealer, svs_counter *terminated);

/* Counts of this rank, since the stealer was made. */
typedef struct svs_stealer_statistics {
    /* tasks that this rank has added, removed and completed */
    uint64_t added, removed, completed;
    uint64_t local; /* tasks removed by the rank that has added them */
    /* tasks that this rank added to other ranks' pools, and that they added to its pool */
    uint64_t sent, received;
    /* tasks that others stole from this rank, and that it stole */
    uint64_t given, migrated;
    /* requests that this rank has sent, and how many of them were refused */
    uint64_t requests, refusals;
    uint64_t lifelines;                    /* lifelines that this rank has asked for */
    uint64_t delayed;                      /* records that could not be sent at once */
    uint64_t pooled_most;                  /* most tasks in this rank's pool at one time */
    uint64_t waves, freezes, terminations; /* steps in the detection of termination */
} svs_stealer_statistics;

/* @return SVS_OK, SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_stealer_statistics_get_sized(
    const svs_stealer *stealer, svs_stealer_statistics *statistics, size_t size);
SVS_NODISCARD static inline svs_status svs_stealer_statistics_get(
    const svs_stealer *svs_stealer_, svs_stealer_statistics *svs_statistics_) {
    return svs_stealer_statistics_get_sized(svs_stealer_, svs_statistics_, sizeof *svs_statistics_);
}

SVS_END_DECLARATIONS
#endif
