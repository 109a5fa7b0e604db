/* Memory of what is remembered of graphs' runs: instances, what they have declared, entries. It is
 * given back all at once, when the past is forgotten (graph.h, racecheck.G3).
 *
 * operation  caller            progress
 * allocate   any               one lock for all
 * forget     alone (racecheck.G3)        - */
#ifndef SVS_RACECHECK_GRAPH_MEMORY_H
#define SVS_RACECHECK_GRAPH_MEMORY_H

#include "base/atomic.h"
#include "base/memory.h"

/* @return NULL when there is no memory; else aligned to 16 bytes, with arbitrary contents. */
void *svs__graph_allocate(size_t bytes);

/* How often all was given back, from 1: what was allocated at an earlier age is gone. */
extern _Atomic(uint32_t) svs__graph_age;

/* All of it; what is kept for the next ones, too. */
void svs__graph_memory_forget(void);
void svs__graph_memory_clean_up(void);
/* In the child of a fork: as svs__graph_abandon(). */
void svs__graph_memory_abandon(void);

/* How many bytes there are, also of what is kept. */
size_t svs__graph_memory_bytes(void);

/* malloc and free, of which the check is not told: it would lock what is locked already. */
extern const svs_allocator svs__graph_allocator;

#endif
