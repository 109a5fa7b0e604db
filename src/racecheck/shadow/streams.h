/* Streams of accesses: those that are put off and compared together (streams.c).
 *
 * Threads: each about its own. */
#ifndef SVS_RACECHECK_SHADOW_STREAMS_H
#define SVS_RACECHECK_SHADOW_STREAMS_H

#include "racecheck/tree/thread.h"

/* Compares what the streams of the calling thread stand for (racecheck.C4). */
void svs__streams_end(svs__check_thread *self);

#endif
