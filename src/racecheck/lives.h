/* Memory that begins or ends its life while a check is on, and the end of what is put off.
 *
 * Threads: any. */
#ifndef SVS_RACECHECK_LIVES_H
#define SVS_RACECHECK_LIVES_H

#include <stddef.h>
#include <svs/status.h>

/* These bytes begin a new life, before the caller hands them on: of what was accessed there nothing
 * is known any more. Also by a thread that runs no task, as long as any run is going on. */
SVS_API void svs__check_allocated(const void *block, size_t bytes);
/* The same of a block of the heap. All that uses it is behind its allocation, which counts as a
 * write by the running step, unless the block is the library's own: its records and arguments hand
 * memory from one task on to another. */
SVS_API void svs__check_taken(const void *block, size_t bytes, const void *pc);
/* A block of the heap ends, before any other thread can get it: as if it were written. */
SVS_API void svs__check_freed(const void *block, size_t bytes, const void *pc);

/* What the calling thread's streams stand for is compared now (racecheck.C4): before a report. */
SVS_API void svs__check_settle(void);

#endif
