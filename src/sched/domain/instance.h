/* Instances: admitted, run and retired. */
#ifndef SVS_SCHED_DOMAIN_INSTANCE_H
#define SVS_SCHED_DOMAIN_INSTANCE_H

#include "sched/domain/context.h"

typedef enum svs__attempt { SVS__ADMITTED, SVS__BLOCKED, SVS__FAILED } svs__attempt;

/* Tries to admit the record's instance into `hold`. FAILED: its footprint could not be made. Then
 * the run has failed, and the caller retires the record. */
svs__attempt svs__instance_admit(svs_context *context, svs__record *record, svs__hold *hold,
                                 bool own_hold, svs__conflict *conflict);
/* Runs the instances' bodies one after the other, until the run is cancelled or the worker's turn
 * is over (worksteal.Q4). @return how many have ended: at least one, and all of them in a cancelled
 * run. */
uint32_t svs__instances_run(svs_context *context, svs__record *const *records, uint32_t count);
/* Looks the set of a record up into context->set. */
svs_status svs__instance_expand(svs_context *context, const svs_task *task, const void *item);
/* Ends records of one batch that were run or dropped. */
void svs__records_retire_of(const svs_context *context, svs__batch *batch, uint32_t count);
/* The same for a stage: no other worker retires records of its domain meanwhile (sched.P3). */
void svs__records_retire(const svs_context *context, svs__record *const *records, uint32_t count);

#endif
