/* The instances of a stage, admitted one by one. */
#ifndef SVS_SCHED_DOMAIN_STAGE_ADMIT_H
#define SVS_SCHED_DOMAIN_STAGE_ADMIT_H

#include "sched/domain/stage/stage.h"

/* Admits the record into the stage. @return whether it was admitted or dropped; otherwise `met` is
 * the conflict, and the context's set is the record's. */
bool svs__stage_consider(svs__domain *domain, svs_context *context, svs__record *record,
                         svs__conflict *met);

#endif
