/* The reports of a run to its observers: groups of instances, stages, and conflicts
 * (hooks/trace_hooks.h). A run without observers only reads `env->seen.any`: once for each piece of
 * a stage, and at the end of a serial run. */
#ifndef SVS_SCHED_DOMAIN_OBSERVE_SEEN_H
#define SVS_SCHED_DOMAIN_OBSERVE_SEEN_H

#include "sched/domain/instance/context.h"

/* The result of an explanation. */
typedef struct svs__explained {
    svs__seen_cause cause;
    const svs_task *other_task; /* the task of the other instance; NULL: not known */
    uint64_t other_seed;
    /* the identity on which they conflict, as the explained instance names it */
    svs__identity place;
    svs_access_kind kind;
    bool writes;
} svs__explained;

/* The number of the `count` instances that are run between two readings of the clock. */
uint32_t svs__seen_group_of(const svs_context *context, const svs_task *task, uint32_t count);
/* Called before the first instance of a group. `follows`: the group begins at the end of the last
 * one. */
void svs__seen_begin(svs_context *context, const svs_task *task, const void *item, bool follows);
/* Called after the last of `ran` instances. */
void svs__seen_end(svs_context *context, const svs_task *task, void *const *items, uint32_t ran);

/* Called before instances of a serial run are retired: reports those that have run. */
void svs__seen_close(svs_context *context);

/* Reports a stage of `width` instances; `first` is the item of the first one. */
void svs__seen_tell_stage(svs_context *context, svs__seen_kind kind, const void *first,
                          uint32_t width);
/* Reports a window. */
void svs__seen_tell_window(svs_context *context, svs__seen_stage *window, const svs_task *task);
/* Reports a conflict. `parted`: the two instances are in one window. */
void svs__seen_tell_conflict(const svs_context *context, const void *item,
                             const svs__explained *explained, bool parted);
/* Reports a deferral whose explanation began at `begin_ns`. */
void svs__seen_tell_deferral(svs_context *context, const void *item,
                             const svs__explained *explained, uint64_t begin_ns);

/* Explanations take at most 1 / SVS__SEEN_SHARE of a worker's time. */
#define SVS__SEEN_SHARE 50u

#endif
