/* What a generic async has besides its slot: memory for arguments that do not fit into it, and what
 * its argument owns.
 *
 * Threads: the worker that runs the async, or drops it. */
#ifndef SVS_WORKSTEAL_ARGUMENTS_H
#define SVS_WORKSTEAL_ARGUMENTS_H

#include <svs/detail/async_context.h>

/* Releases what an async keeps outside of its slot, in place of its run (worksteal.C3). `slot` is
 * the async's slot. */
void svs__arguments_drop(svs_async_context *async, svs__slot *slot);

#endif
