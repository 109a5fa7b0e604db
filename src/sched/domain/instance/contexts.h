/* The contexts of an environment: one for each worker and two for refinement. A run takes them in a
 * kit, and gives them back when it has ended (common.h). Between two runs the environment has what
 * they have counted. */
#ifndef SVS_SCHED_DOMAIN_INSTANCE_CONTEXTS_H
#define SVS_SCHED_DOMAIN_INSTANCE_CONTEXTS_H

#include "sched/domain/instance/common.h"

/* The counts. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__contexts_new(svs__domain_env *env);
void svs__contexts_free(svs__domain_env *env);
void svs__counts_clear(const svs__domain_env *env);

/* Takes a kit, or makes one. @return NULL: no memory. */
svs__kit *svs__contexts_take(const svs__domain_env *env);
void svs__contexts_give(const svs__domain_env *env, svs__kit *kit);
void svs__kit_free(svs__kit *kit, const svs_world *world);

/* The environment has the kit; it has it no longer. */
void svs__contexts_bind(svs__domain_env *env, svs__kit *kit);
svs__kit *svs__contexts_unbind(svs__domain_env *env);

/* Instances of the run that have ended; 0 between two runs. */
uint64_t svs__contexts_ended(const svs__domain_env *env);

#endif
