/* Collective calls outside of a run: rank 0 compares what each rank says with what it says itself,
 * and begins the ending (ending.h) of the call, by which all ranks return the same. */
#ifndef SVS_RANKS_AGREE_H
#define SVS_RANKS_AGREE_H

#include "ranks/ending.h"

/* Begins a phase. @param compare at rank 0: NULL, or how the other differs (valid until the next
 * call). `mine` stays until the end. */
void svs__agree_begin(svs_ranks *ranks, const void *mine, uint32_t bytes, svs__compare *compare);
void svs__agree_heard(svs_ranks *ranks, uint32_t from, const void *other, uint32_t bytes);

#endif
