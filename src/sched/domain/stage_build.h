/* Makes stages. */
#ifndef SVS_SCHED_DOMAIN_STAGE_BUILD_H
#define SVS_SCHED_DOMAIN_STAGE_BUILD_H

#include "sched/domain/domain.h"

/* Makes a staged domain's next stage. @return whether it has an instance. Under the domain's
 * lock. */
bool svs__stage_make(svs__domain *domain, svs_context *context);

#endif
