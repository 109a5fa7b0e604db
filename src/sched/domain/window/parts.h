/* What the files of windows share: colours, items that are left over, and memory. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_PARTS_H
#define SVS_SCHED_DOMAIN_WINDOW_PARTS_H

#include "sched/domain/window/keys.h"
#include "sched/domain/window/window.h"

/* The maximum number of words that a window of readers may leave unwritten (sched.W13). */
#define SVS__READ_MAX 8192u
#define SVS__READ_NONE UINT32_MAX

/* The capacity of `back`: serial runs give back at most SVS__WINDOW_MAX items and a piece, and the
 * instances of one window return. */
#define SVS__WINDOW_BACK ((size_t)2 * SVS__WINDOW_MOST + 512)

/* Puts an instance among the deferred ones, where it waits for a stage of the staged kind, which
 * makes its set. */
void svs__window_put_among_deferred(svs__domain *domain, void *item);

/* Counts `count` more instances of a batch in the window; svs__window_uncount() counts one less. */
void svs__window_count(svs__window *w, svs__batch *batch, uint32_t count);
void svs__window_uncount(svs__window *w, const void *item);

/* ---- memory (window/memory.c) ---- */

/* Makes the state of a domain. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__windows_new(svs__domain *domain, bool in_order);
void svs__windows_free(svs__domain *domain);

/* The memory of windows belongs to a domain from its first window until its tasks have ended
 * (instance/contexts.h). svs__windows_begin() makes it before a run for a domain that is in order:
 * such a domain cannot use stages of the staged kind instead, because these keep no order
 * (sched.W11). @return false: no memory. */
bool svs__windows_begin(svs__domain *domain);

/* If the tasks of the domain have ended, gives its memory back, for the next domain of a chain. A
 * domain that is in order keeps its memory, and so does a domain whose memory another worker uses
 * at the moment. */
void svs__windows_rest(svs__domain *domain);

/* Called after the run: gives the memory back. */
void svs__windows_end(svs__domain *domain);

/* Makes the lists, for the first window. The caller holds the domain's lock. @return false: no
 * memory. */
bool svs__windows_make_memory(svs__domain *domain);

/* Returns a window that is free, which is made if need be. The caller holds the domain's lock.
 * @return NULL: all are in use, or no memory. */
svs__window *svs__windows_free_one(svs__domain *domain);

/* [sched.W14] Joins instances to those that have joined since the last svs__table_begin(): each one
 * whose elements conflict with none of these. They are stored at `into`, and the others at `out`.
 * @return how many have joined. */
uint32_t svs__window_join(svs__table *table, const svs__keyed *keyed, void *const *items,
                          void **into, void **out);

/* Called by the owner: lets workers claim the first `count` instances of the window's stage
 * (sched.P2). The last worker that leaves calls `end`, and then owns the stage. */
void svs__window_begin_stage(svs__domain *domain, svs_context *context, uint32_t count,
                             void (*end)(svs__domain *domain, svs_context *context));

/* ---- a word of a table (sched.W1); <svs/detail/loops.h> describes its bits ---- */

#define SVS__ALL_COLOURS ((UINT64_C(1) << SVS__COLOURS) - 1)

_Static_assert(SVS__COLOURS <= SVS__COLOUR_BITS, "a word has room for the colours of both modes");

/* Whether several instances use the word, one of them as a writer, whatever their colours are. */
static inline bool svs__colours_contend(uint64_t word) {
    uint64_t writers = word & SVS__ALL_COLOURS,
             readers = word >> SVS__COLOUR_BITS & SVS__ALL_COLOURS;
    return writers && (writers & (writers - 1) || readers);
}

/* ---- stages that are cut short (sched.W12) ---- */

/* If the stage must be cut short (sched.W12), gives back the instances that the worker has claimed,
 * and all unclaimed ones. @return how many; the caller, which counts in `left`, leaves the stage
 * for them. */
uint32_t svs__window_cut(svs_context *context);

/* Called by the owner of a stage that has ended: keeps only the instances in it that were given
 * back. @return how many there are. */
uint32_t svs__window_keep_cut(svs__windows *ws);

#endif
