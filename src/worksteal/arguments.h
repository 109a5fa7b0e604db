/* What a generic async has besides its slot: memory for arguments that do not fit into it, and what
 * its argument owns.
 *
 * Threads: the worker that runs the async, or drops it. */
#ifndef SVS_WORKSTEAL_ARGUMENTS_H
#define SVS_WORKSTEAL_ARGUMENTS_H

#include <svs/detail/async_context.h>

/* Instead of the async's run (worksteal.C3): releases what it has besides `slot`, in which it
 * is. */
void svs__arguments_drop(svs_async_context *async, svs__slot *slot);

#endif
