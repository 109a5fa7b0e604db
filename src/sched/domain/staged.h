/* The staged algorithm (staged.c). */
#ifndef SVS_SCHED_DOMAIN_STAGED_H
#define SVS_SCHED_DOMAIN_STAGED_H

#include "sched/domain/domain.h"

extern const svs__algorithm svs__staged;

/* Runs the claimed instances of the context's worker until its turn is over. */
void svs__stage_run_claimed(svs_context *context);

#endif
