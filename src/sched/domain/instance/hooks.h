/* The calls of a watcher for an instance (hooks/object_hooks.h). */
#ifndef SVS_SCHED_DOMAIN_INSTANCE_HOOKS_H
#define SVS_SCHED_DOMAIN_INSTANCE_HOOKS_H

#include "sched/domain/instance/context.h"

/* @return the watcher's handle of the instance. */
void *svs__watched_begin(svs_context *context, const void *item, void *top);
void svs__watched_end(svs_context *context);
void svs__watched_send(const svs_context *context, uint64_t from, size_t count);

#endif
