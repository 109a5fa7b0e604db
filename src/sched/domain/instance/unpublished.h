/* The objects that the running instance has made and not handed off (context.h, svs__fresh). */
#ifndef SVS_SCHED_DOMAIN_INSTANCE_UNPUBLISHED_H
#define SVS_SCHED_DOMAIN_INSTANCE_UNPUBLISHED_H

#include "sched/domain/instance/context.h"

/* holder->fresh */
svs_status svs__context_add_fresh(svs__holder *holder, svs_object *object, const svs_type *type);
/* The instance ends. */
void svs__context_release_fresh(svs_context *context);
void svs__fresh_clean_up(svs__fresh *fresh, const svs_allocator *allocator);

#endif
