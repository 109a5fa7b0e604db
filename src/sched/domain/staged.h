/* The staged algorithm (staged.c). */
#ifndef SVS_SCHED_DOMAIN_STAGED_H
#define SVS_SCHED_DOMAIN_STAGED_H

#include "sched/domain/domain.h"

extern const svs__algorithm svs__staged;

/* Claims some instances of the stage. @return whether there were any. */
bool svs__stage_claim_some(svs__domain *domain, svs_context *context);

/* Runs the claimed instances until the worker's turn is over, and does not leave the stage.
 * @return how many have ended. */
uint32_t svs__stage_run_only(svs_context *context);

/* Leaves the stage with the instances that have ended, and with those that are given back. */
void svs__stage_leave_claimed(svs_context *context, uint32_t ran);

/* Claims some instances of the stage and runs them. @return whether there were any. */
bool svs__stage_run_some(svs__domain *domain, svs_context *context);

/* Runs the claimed instances of the context's worker until its turn is over. */
void svs__stage_run_claimed(svs_context *context);

#endif
