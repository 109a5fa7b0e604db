/* Deferring: a record that was not admitted goes to the bucket of what it met, and may reserve. */
#ifndef SVS_SCHED_DOMAIN_DEFER_H
#define SVS_SCHED_DOMAIN_DEFER_H

#include "sched/domain/domain.h"

/* A stage as wide as this is not narrow: which bucket deferred is not counted then. */
#define SVS__WIDE_ENOUGH 8u

/* Puts a record that was not admitted to what it met; one that has waited long claims a reservation
 * of its set (S4), and adds to it when it is refused once more (A8). Under the domain's lock.
 * `expanded`: the context's set is the record's. */
void svs__domain_defer(svs__domain *domain, svs_context *context, svs__record *record,
                       const svs__conflict *met, bool front, bool expanded);

#endif
