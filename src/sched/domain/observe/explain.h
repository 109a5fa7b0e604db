/* Explanations: the causes of some deferrals. */
#ifndef SVS_SCHED_DOMAIN_OBSERVE_EXPLAIN_H
#define SVS_SCHED_DOMAIN_OBSERVE_EXPLAIN_H

#include "sched/domain/domain.h"
#include "sched/domain/observe/seen.h"

/* After a deferral of the record: explains it if one is due (svs__explain_is_due() in domain.h).
 * Under the domain's lock. */
void svs__explain(svs_context *context, svs__domain *domain, svs__record *record);
/* The same for the instance of an item that has found no place in the `count` stages of a window.
 * None of them runs. */
void svs__explain_placed(svs_context *context, const void *item, void **const *stages,
                         void **const *ends, uint32_t count);
/* `explain_at` of a graph that has deferred nothing. */
uint64_t svs__explain_first(const svs__domain_env *env);
/* Compares the instances of two items, none of which runs. @return whether they conflict. */
bool svs__explain_pair(svs_context *context, const void *item, const void *other,
                       svs__explained *found);

#endif
