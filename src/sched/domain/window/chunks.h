/* Chunks: walked candidates, whose elements all workers compute (sched.W14, sched.W15).
 *
 * An example. Two workers, and 100 candidates that each walk links. The maker puts them into four
 * chunks, and offers these as a round. It computes the elements of chunk 0 while the other worker
 * computes those of chunk 1. The maker gives the candidates of chunk 0 their colours, then those of
 * chunk 1. If that one is not computed yet, the maker computes chunk 2 meanwhile. The colours are
 * those of a maker that does all of it alone.
 *
 *   sched.W15 a round has one owner, that of the stage, and no body runs meanwhile. A chunk is
 *       computed by the worker that has claimed it, once. The owner ends a round when each chunk of
 *       it is claimed, and computed, or was claimed by the owner for nothing. So no touch function
 *       runs on in another worker when the owner goes on, and the owner fills in the chunks of the
 *       next round alone. A claim is a compare-exchange from a value with the number of `width` and
 *       below it, as of a stage (sched.P2).
 *
 * | operation | caller       | progress                               | order               |
 * |-----------|--------------|----------------------------------------|---------------------|
 * | offer     | the owner    | wait-free                              | release on `claim`  |
 * | help      | any worker   | lock-free                              | acquire on `claim`, |
 * |           |              |                                        | release on `done`   |
 * | get       | the owner    | waits for a chunk that another claimed | acquire on `done`   |
 * | withdraw  | the owner    | the same                               | acquire on `done`   |
 *
 * Cache lines: one for `claim` and `width`; each chunk is written by the worker that computes it.
 */
#ifndef SVS_SCHED_DOMAIN_WINDOW_CHUNKS_H
#define SVS_SCHED_DOMAIN_WINDOW_CHUNKS_H

#include "sched/domain/window/keys.h"
#include "sched/domain/window/window.h"

#if defined(SVS_EXPLORE)
#define SVS__CHUNK 1u /* so that a few candidates are several rounds */
#define SVS__CHUNKS 2u
#else
#define SVS__CHUNK 16u /* candidates, which take some microseconds */
#define SVS__CHUNKS 72u
#endif

struct svs__chunk {
    uint32_t count; /* candidates, all of one batch */
    void *items[SVS__CHUNK];
    uintptr_t freed;        /* the object that had been freed last before they were computed */
    svs__keyed keyed;       /* the elements of the first `keyed.count` candidates */
    _Atomic(uint32_t) done; /* they are computed; 0: not yet */
};

/* Memory for a round, kept with the arrays of the windows. @return false: no memory. */
bool svs__chunks_make(svs__domain *domain);
void svs__chunks_free(const svs_allocator *allocator, svs__chunk *chunks);

/* Begins a round without chunks. */
static inline void svs__chunks_begin(svs__windows *ws) { ws->chunks.count = 0; }

/* Adds candidates of one batch to the round that has begun. `count` is at most SVS__CHUNK.
 * @return false: the round is full. */
bool svs__chunks_add(svs__windows *ws, void *const *items, uint32_t count);

/* Lets other workers help with the round, if it has several chunks. */
void svs__chunks_offer(svs__domain *domain);

/* The next chunk in their order, computed. NULL: there is none. */
const svs__chunk *svs__chunks_get(svs__domain *domain, svs_context *context);

/* Ends the round. The chunks that svs__chunks_get() has not returned are as they were added. */
void svs__chunks_withdraw(svs__domain *domain);

/* Computes chunks of the round that is offered. @return whether there were any. */
bool svs__chunks_help(svs__domain *domain, svs_context *context);

/* Whether a chunk is left to claim. Racy. */
bool svs__chunks_are_offered(svs__domain *domain);

#endif
