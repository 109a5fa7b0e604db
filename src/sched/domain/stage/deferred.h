/* Deferred records as candidates of a stage. */
#ifndef SVS_SCHED_DOMAIN_STAGE_DEFERRED_H
#define SVS_SCHED_DOMAIN_STAGE_DEFERRED_H

#include "sched/domain/domain.h"

void svs__stage_consider_deferred(svs__domain *domain, svs_context *context);

#endif
