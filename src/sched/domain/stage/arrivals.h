/* Arrivals as candidates of a stage. */
#ifndef SVS_SCHED_DOMAIN_STAGE_ARRIVALS_H
#define SVS_SCHED_DOMAIN_STAGE_ARRIVALS_H

#include "sched/domain/domain.h"

void svs__stage_consider_arrivals(svs__domain *domain, svs_context *context);

#endif
