/* The recorder, an observer (hooks/trace_hooks.h): it packs each worker's phases into that worker's
 * stream.
 *
 *     svs__recorder *recorder = svs__recorder_new(allocator, policy, workers, max_bytes);
 *     for each worker: svs__recorder_base(recorder, worker, its next ordinal, its next phase);
 *     ... recorder->observer is called by the workers ...
 *     svs_trace *trace = svs__recorder_finish(recorder);
 *
 * operation           caller                    progress                       order
 * phase_begins/ends,  worker, of itself         wait-free; one allocation in   release
 * waits                                         hundreds of events
 * copy                any, before the finish    wait-free, plus allocations    acquire
 * finish              any, after the workers'   wait-free                      none
 *                     last event
 *
 *   stealtree.Q1  Only its worker writes a pen and the end of the pen's stream. (not asserted:
 *                 tests drive the pens of several workers from one thread)
 *   stealtree.Q2  All chunks together have at most `max_bytes`, and names SVS__NAMES_MAX.
 *   stealtree.Q3  After the first lost event of a stream, nothing more is recorded there: a stream
 *                 is a prefix of the worker's events, without a gap.
 *
 * Cache lines: each pen has its own; chunks are placed by the allocator; `taken` is written once a
 * chunk. */
#ifndef SVS_STEALTREE_RECORD_H
#define SVS_STEALTREE_RECORD_H

#include "base/lock.h"
#include "stealtree/stream.h"

typedef struct svs__pen {
    alignas(SVS__CACHE_LINE) svs__trace_chunk *chunk; /* the last chunk of the stream, or NULL */
    uint32_t used;                                    /* bytes of the chunk in use */
    /* an event was lost: no more are recorded (stealtree.Q3) */
    bool lost;
    bool waits;           /* the innermost open phase waits */
    uint32_t depth;       /* number of open phases */
    uint64_t since;       /* time at which the wait began, ns */
    uint64_t ordinal, ns; /* ordinal and time of the last event */
    uint64_t seed;        /* the last seed, in a stream of graphs */
    svs__trace_stream *stream;
} svs__pen;

typedef struct svs__recorder {
    svs__observer observer; /* first member: its address is passed to the callbacks */
    svs_trace *trace;
    uint64_t start_ns;
    size_t max_bytes;
    svs__pen *pens;                                 /* one for each stream of the trace */
    svs__lock names;                                /* guards the trace's names */
    alignas(SVS__CACHE_LINE) _Atomic(size_t) taken; /* bytes taken for chunks */
} svs__recorder;

/* @return NULL when there is no memory. */
svs__recorder *svs__recorder_new(const svs_allocator *allocator, uint32_t policy, uint32_t workers,
                                 size_t max_bytes);

/* Sets the numbers of a worker's asyncs and phases before the trace, 0 by default. Called before
 * the first event. */
void svs__recorder_base(svs__recorder *recorder, uint32_t worker, uint64_t ordinal, uint64_t phase);

/* Begins an event of at most `most` bytes. @return the address for its bytes; NULL: the event is
 * lost. */
unsigned char *svs__pen_begin(svs__recorder *recorder, svs__pen *pen, uint32_t most);
/* Ends the event that svs__pen_begin() has begun; `end` is after its last byte. */
void svs__pen_end(svs__pen *pen, const unsigned char *end);

/* The recorder to which `observer` belongs; NULL when `observer` is NULL or belongs to none. */
svs__recorder *svs__recorder_of(svs__observer *observer);

/* Copies the trace so far. @return NULL when there is no memory. */
svs_trace *svs__recorder_copy(svs__recorder *recorder);

/* Frees the recorder. Precondition: no worker calls it any more. @return its trace, which the
 * caller owns. */
svs_trace *svs__recorder_finish(svs__recorder *recorder);

#endif
