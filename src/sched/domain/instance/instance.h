/* Instances: admitted, run and retired. */
#ifndef SVS_SCHED_DOMAIN_INSTANCE_INSTANCE_H
#define SVS_SCHED_DOMAIN_INSTANCE_INSTANCE_H

#include "sched/domain/instance/context.h"

typedef enum svs__attempt { SVS__ADMITTED, SVS__BLOCKED, SVS__FAILED } svs__attempt;

/* Tries to admit the item's instance into `hold`: the hold of its stage, or that of the context.
 * `reserver` is as for svs__admission_try(). @return SVS__FAILED if its footprint could not be
 * made: then the run has failed, and the caller retires the instance. */
svs__attempt svs__instance_admit(svs_context *context, void *item, const void *reserver,
                                 svs__hold *hold, svs__conflict *conflict);
/* Runs the bodies of the items in sequence, until the run is cancelled or the worker's turn is over
 * (worksteal.Q4). `only`: the task of all items, or NULL. @return how many have ended: at least
 * one, and all of them in a cancelled run. */
uint32_t svs__instances_run(svs_context *context, void *const *items, uint32_t count,
                            const svs_task *only);
/* Looks up the set of an item, and stores it in context->set. */
svs_status svs__instance_expand(svs_context *context, const svs_task *task, const void *item);
/* Ends `count` instances of one batch that were run or dropped. */
void svs__records_retire_of(const svs_context *context, svs__batch *batch, uint32_t count);
/* svs__batch_retire() for the instances of a stage, which may be of several batches and tasks. */
void svs__items_retire(const svs_context *context, void *const *items, uint32_t count);

#endif
