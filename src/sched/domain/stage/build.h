/* Makes stages. */
#ifndef SVS_SCHED_DOMAIN_STAGE_BUILD_H
#define SVS_SCHED_DOMAIN_STAGE_BUILD_H

#include "sched/domain/domain.h"

/* Makes the next stage of the deferred and, with `arrivals`, of arrivals. @return whether it has an
 * instance. Under the domain's lock. */
bool svs__stage_make(svs__domain *domain, svs_context *context, bool arrivals);

#endif
