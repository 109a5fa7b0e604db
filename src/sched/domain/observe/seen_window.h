/* The conflicts inside of a window, for an observer. */
#ifndef SVS_SCHED_DOMAIN_OBSERVE_SEEN_WINDOW_H
#define SVS_SCHED_DOMAIN_OBSERVE_SEEN_WINDOW_H

#include "sched/domain/instance/context.h"
#include "sched/domain/window/window.h"

/* A window that was made. Its conflicts are told if the worker has the time. Items are read: before
 * the window opens. */
void svs__seen_window(svs_context *context, const svs__window *window);

#endif
