/* Chunks: groups of walked candidates, whose elements all workers help to compute (sched.W14,
 * sched.W15).
 *
 * An example: there are two workers, and 100 candidates whose footprints follow links. The maker
 * puts them into four chunks, and offers these as a round. It computes the elements of chunk 0
 * while the other worker computes those of chunk 1. The maker gives the candidates of chunk 0 their
 * colours, then those of chunk 1. If chunk 1 is not computed yet, the maker computes chunk 2 in the
 * meantime. The colours are the same as if one maker had done everything.
 *
 *   sched.W15 a round has one owner, the owner of the stage, and no body runs during the round. A
 *       chunk is computed once, by the worker that has claimed it, which makes its generated items
 *       first (sched.I11). The owner ends a round when each of its chunks is computed, or was
 *       claimed by the owner without being computed. So when the owner continues, no touch function
 *       runs in another worker, and the owner alone fills in the chunks of the next round. A claim
 *       is a compare-exchange on `claim`, from a value that has the same number as `width` and a
 *       smaller count, as for a stage (sched.P2).
 *
 * | operation | caller       | progress                               | order               |
 * |-----------|--------------|----------------------------------------|---------------------|
 * | offer     | the owner    | wait-free                              | release on `claim`  |
 * | help      | any worker   | lock-free                              | acquire on `claim`, |
 * |           |              |                                        | release on `done`   |
 * | get       | the owner    | waits for a chunk that another claimed | acquire on `done`   |
 * | withdraw  | the owner    | the same                               | acquire on `done`   |
 *
 * Cache lines: one for `claim` and `width`. Only the worker that computes a chunk writes the
 * chunk's lines. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_CHUNKS_H
#define SVS_SCHED_DOMAIN_WINDOW_CHUNKS_H

#include "sched/domain/window/keys.h"
#include "sched/domain/window/window.h"

#if defined(SVS_EXPLORE)
#define SVS__CHUNK 1u /* in the explorer, a few candidates make several rounds */
#define SVS__CHUNKS 2u
#else
#define SVS__CHUNK 32u /* number of candidates of a chunk, which take a microsecond or more */
#define SVS__CHUNKS 72u
#endif

struct svs__chunk {
    uint32_t count; /* number of candidates, which are all of one batch */
    void *items[SVS__CHUNK];
    svs__generated to_make; /* these items, if they are not made yet; else it has no function */
    uintptr_t freed;        /* the most recently freed object before the chunk was computed */
    svs__keyed keyed;       /* the elements of the first `keyed.count` candidates */
    _Atomic(uint32_t) done; /* 1: the chunk is computed; 0: not yet */
};

/* Allocates the chunks of a round, which are kept with the arrays of the windows. @return false: no
 * memory. */
bool svs__chunks_make(svs__domain *domain);
void svs__chunks_free(const svs_allocator *allocator, svs__chunk *chunks);

/* Begins a round without chunks. */
static inline void svs__chunks_begin(svs__windows *ws) { ws->chunks.count = 0; }

/* Adds candidates of one batch to the round that has begun. `count` is at most SVS__CHUNK.
 * @return the chunk; NULL: the round is full. */
svs__chunk *svs__chunks_add(svs__windows *ws, void *const *items, uint32_t count);

/* [sched.I11] Makes the items of a chunk, if they are not made yet. */
void svs__chunk_make_items(svs__chunk *chunk);

/* Lets other workers help with the round, if it has several chunks. */
void svs__chunks_offer(svs__domain *domain);

/* Returns the next chunk, in order, after it is computed; NULL: there is none. */
const svs__chunk *svs__chunks_get(svs__domain *domain, svs_context *context);

/* Ends the round. The candidates of chunks that svs__chunks_get() has not returned are
 * unchanged. */
void svs__chunks_withdraw(svs__domain *domain);

/* Computes chunks of the offered round. @return whether there were any. */
bool svs__chunks_help(svs__domain *domain, svs_context *context);

/* Whether a chunk is left to claim. The answer may be stale. */
bool svs__chunks_are_offered(svs__domain *domain);

#endif
