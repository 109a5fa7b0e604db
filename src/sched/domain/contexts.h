/* The contexts of an environment: made before a run, one for each worker and two for refinement. */
#ifndef SVS_SCHED_DOMAIN_CONTEXTS_H
#define SVS_SCHED_DOMAIN_CONTEXTS_H

#include "sched/domain/context.h"

/* @return SVS_OK or SVS_E_NO_MEMORY: then those that were made are there, and to be freed. */
svs_status svs__contexts_new(svs__domain_env *env);
void svs__contexts_free(svs__domain_env *env);

#endif
