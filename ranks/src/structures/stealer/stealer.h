/* A task stealer on one rank: the pool, the removals that wait for a task, and this rank's part in
 * the detection of termination.
 *
 *     add --own pool--> pool --remove--> in progress --complete-->
 *        \--other rank--> outbox --record "NAME.add"--> pool there
 *     pool --give--> record "NAME.loot" --take--> pool of the thief        (steal.h)
 *
 *   structures.K1   Each task is removed once. On a rank, the tasks that were added, received and
 *                   stolen are as many as those that are pooled and were removed, sent and given.
 *   structures.K2   Each time that all ranks wait for termination, termination is reported once on
 *                   each rank.
 *   structures.K3   When termination is reported, no task is pooled, in an outbox, in flight or in
 *                   progress.
 *   structures.K11  A removal waits only while the pool is empty, unless termination is about to be
 *                   reported.
 *   structures.K12  A rank without a task in progress gives all tasks but one, so that each moves
 *                   only while another one is run.
 *
 * Detection of termination (end.c): a rank without a task joins a wave, which is a
 * reduction of the numbers of tasks sent and received. If the sums differ, the next wave begins. If
 * they are equal, the snapshot is frozen, so that no task is in flight, and the tasks of all ranks
 * are added up. The sum 0 is termination. A wave alone does not prove it, because ranks join it at
 * different times. After the last completion there are at most three reductions and one freeze. */
#ifndef SVS_STRUCTURES_STEALER_STEALER_H
#define SVS_STRUCTURES_STEALER_STEALER_H

#include "structures/stealer/steal.h"
#include "structures/stealer/task_pool.h"

enum { SVS__STEALER_ADD, SVS__STEALER_STEAL, SVS__STEALER_HANDLERS = 1 + SVS__STEAL_HANDLERS };

/* A task in a record. A record has one task; a loot has several, each a multiple of 8 bytes. */
typedef struct svs__stealer_task {
    svs_stealer_hint hint;
    uint32_t bytes, origin;
    unsigned char data[];
} svs__stealer_task;

typedef struct svs__stealer_removal {
    void *task;
    size_t *bytes;
    svs_counter *available;
} svs__stealer_removal;

struct svs_stealer {
    svs__steal steal; /* first member (steal.h) */
    svs_ranks *ranks;
    svs_structure *structure;
    svs__task_pool pool;
    /* the removals that wait are those from `removals_first` to before `removals_end` */
    svs__stealer_removal *removals;
    uint32_t removals_first, removals_end, removals_capacity;
    uint32_t index, count, threshold;
    bool pushes;
    uint64_t in_progress;
    svs__random random;
    svs__stealer_task *scratch; /* room for the task that is being sent */
    svs_stealer_statistics statistics;
    /* Stealers that share a snapshot are in one list, which begins with the leader. */
    svs_stealer *leader, *next;
    /* used in the leader alone: */
    svs_counter *waiter, idle;
    uint64_t waves, freezes, terminations;
    bool waits_for_idle, closing, ended;
    char name[SVS_STEALER_NAME + 8], add_name[SVS_STEALER_NAME + 24];
};

/* The number of tasks on this rank: pooled, in the outbox, or in progress. */
static inline uint64_t svs__stealer_tasks(const svs_stealer *stealer) {
    return stealer->pool.count + stealer->steal.outbox.weight + stealer->in_progress;
}

/* [structures.K1] Whether each task that has come to this rank is still here or counted as gone. */
static inline bool svs__stealer_is_conserved(const svs_stealer *stealer) {
    const svs_stealer_statistics *of = &stealer->statistics;
    return of->added + of->received + of->migrated ==
               of->removed + of->sent + of->given + stealer->pool.count &&
           of->removed == of->completed + stealer->in_progress;
}

/* Continues the detection if no stealer of the snapshot has a task on this rank. */
void svs__stealer_look_idle(svs_stealer *stealer);

/* Ends the removals that wait. */
void svs__stealer_end_removals(svs_stealer *stealer);

#endif
