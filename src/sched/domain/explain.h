/* Explanations: the causes of some deferrals. */
#ifndef SVS_SCHED_DOMAIN_EXPLAIN_H
#define SVS_SCHED_DOMAIN_EXPLAIN_H

#include "sched/domain/domain.h"

/* After a deferral of the record: explains it if one is due (svs__explain_is_due() in domain.h).
 * Under the domain's lock. */
void svs__explain(svs_context *context, svs__domain *domain, svs__record *record);
void svs__explain_begin(svs_context *context);

#endif
