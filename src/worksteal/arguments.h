/* Memory that a generic async uses outside of its slot: for arguments that do not fit into the
 * slot, and for what its argument owns.
 *
 * Threads: called by the worker that runs the async, or that drops it. */
#ifndef SVS_WORKSTEAL_ARGUMENTS_H
#define SVS_WORKSTEAL_ARGUMENTS_H

#include <svs/detail/async_context.h>

/* Releases what an async keeps outside of its slot `slot`. Called instead of the async's function
 * when the async is dropped (worksteal.C3). */
void svs__arguments_drop(svs_async_context *async, svs__slot *slot);

#endif
