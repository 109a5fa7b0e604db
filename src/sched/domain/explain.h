/* Looks now and then into why an instance was deferred. */
#ifndef SVS_SCHED_DOMAIN_EXPLAIN_H
#define SVS_SCHED_DOMAIN_EXPLAIN_H

#include "sched/domain/domain.h"

/* A record was deferred: now and then looks into why. Under the domain's lock. */
void svs__explain(svs_context *context, svs__domain *domain, svs__record *record);
void svs__explain_begin(svs_context *context);
/* Not while instances of the stage may run, as the look reads their items: then it is put off. */
static inline bool svs__explain_is_due(const svs_context *context, const svs__domain *domain) {
    return context->statistics.deferrals >= context->explain_at && !domain->stage.offered;
}
static inline bool svs__explain_is_near(const svs_context *context) {
    return context->explain_at - context->statistics.deferrals < 64 ||
           context->statistics.deferrals >= context->explain_at;
}

#endif
