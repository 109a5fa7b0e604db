/* The observer that records (observer.h): it packs each worker's phases into that worker's stream.
 *
 *     svs__recorder *recorder = svs__recorder_new(allocator, policy, workers, max_bytes);
 *     for each worker: svs__recorder_base(recorder, worker, its next ordinal, its next phase);
 *     ... recorder->observer is called by the workers ...
 *     svs_trace *trace = svs__recorder_finish(recorder);
 *
 * operation           caller                      progress
 * phase_begins/ends,  each worker, of itself      wait-free, but for the allocator once in hundreds
 * waits
 * svs__recorder_copy  anybody, until the finish   wait-free, but for the allocator
 *
 * Q1. A worker's pen, and the end of its stream, are written by that worker alone.
 * Q2. All chunks together take no more than `max_bytes`.
 * Q3. After the first event that a worker lost, it records nothing more: what a stream has is the
 *     beginning of what was, without a hole.
 *
 * Cache lines: each pen has its own, and so have chunks, which the allocator places; `taken` is
 * written when a chunk is taken. */
#ifndef SVS_STEALTREE_RECORD_H
#define SVS_STEALTREE_RECORD_H

#include "stealtree/stream.h"

typedef struct svs__pen {
    alignas(SVS__CACHE_LINE) svs__chunk *chunk; /* the last of the stream, or NULL */
    uint32_t used;                              /* of it */
    bool lost;                                  /* Q3 */
    bool waits;                                 /* the innermost open phase does */
    uint32_t depth;                             /* open phases */
    uint64_t since;                             /* when it began to wait, ns */
    uint64_t ordinal, ns;                       /* of the last event */
    svs__stream *stream;
} svs__pen;

typedef struct svs__recorder {
    svs__observer observer; /* first: the callbacks get its address */
    svs_trace *trace;
    uint64_t start_ns;
    size_t max_bytes;
    svs__pen *pens;
    alignas(SVS__CACHE_LINE) _Atomic(size_t) taken; /* bytes */
} svs__recorder;

/* @return NULL when there is no memory. */
svs__recorder *svs__recorder_new(const svs_allocator *allocator, uint32_t policy, uint32_t workers,
                                 size_t max_bytes);

/* How many asyncs and phases of a worker were before the trace; 0 when this is not called, before
 * anything is recorded. */
void svs__recorder_base(svs__recorder *recorder, uint32_t worker, uint64_t ordinal, uint64_t phase);

/* The recorder that `observer` is of, or NULL: it is another's, or there is none. */
svs__recorder *svs__recorder_of(svs__observer *observer);

/* What has been recorded so far. @return NULL when there is no memory. */
svs_trace *svs__recorder_copy(svs__recorder *recorder);

/* Gives the recorder back, and what it has recorded to the caller. No worker calls it any more. */
svs_trace *svs__recorder_finish(svs__recorder *recorder);

#endif
