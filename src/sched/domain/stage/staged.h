/* The staged algorithm (staged.c). */
#ifndef SVS_SCHED_DOMAIN_STAGE_STAGED_H
#define SVS_SCHED_DOMAIN_STAGE_STAGED_H

#include "sched/domain/domain.h"

extern const svs__algorithm svs__staged;

/* Runs the instances that the worker has claimed, or claims some of the stage and runs those, until
 * its turn is over. @return whether there were any. */
bool svs__stage_run_some(svs__domain *domain, svs_context *context);

/* The same without running them. @return whether there were any. */
bool svs__stage_claim_some(svs__domain *domain, svs_context *context);

/* Runs the claimed instances until the worker's turn is over, and does not leave the stage.
 * @return how many have ended. */
uint32_t svs__stage_run_only(svs_context *context);

/* Leaves the stage with the instances that have ended, and with those that are given back. */
void svs__stage_leave_claimed(svs_context *context, uint32_t ran);

#endif
