/* Explanations: the causes of some deferrals. */
#ifndef SVS_SCHED_DOMAIN_OBSERVE_EXPLAIN_H
#define SVS_SCHED_DOMAIN_OBSERVE_EXPLAIN_H

#include "sched/domain/domain.h"
#include "sched/domain/instance/context.h"
#include "sched/domain/observe/seen.h"
#include "sched/domain/window/window.h"

/* Called under the domain's lock after a deferral of the record: explains it if an explanation is
 * due (svs__explain_is_due() in domain.h). */
void svs__explain(svs_context *context, svs__domain *domain, svs__record *record);
/* Explains an item that fits into none of the `count` stages of a window. No instance of the window
 * runs. */
void svs__explain_placed(svs_context *context, const void *item, void **const *stages,
                         void **const *ends, uint32_t count);
/* Compares the instances of two items, which do not run. @return whether they conflict. */
bool svs__explain_pair(svs_context *context, const void *item, const void *other,
                       svs__explained *found);

/* The conflicts inside of a window, for an observer. */

/* Reports a window that was made. If the worker has the time, its conflicts are reported too. This
 * reads the items, so the window has not opened yet. */
void svs__seen_window(svs_context *context, const svs__window *window);

#endif
