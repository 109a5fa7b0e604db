/* Shared by the files of windows: colours, what is left over, and the memory. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_PARTS_H
#define SVS_SCHED_DOMAIN_WINDOW_PARTS_H

#include "sched/domain/window/keys.h"
#include "sched/domain/window/window.h"

#define SVS__WINDOW_TABLE_BITS 15u
#define SVS__WINDOW_TABLE_BITS_FEW 10u
/* The capacity of what is left over. Arrivals are taken while fewer than SVS__LEFT_MAX have found
 * no colour, SVS__KEYED at a time, and all that were placed may be carried over. A serial run that
 * took arrivals, because nothing was left over, gives back SVS__WINDOW_MAX of them at most.
 * Otherwise a window leaves over no more than it has found. */
#define SVS__WINDOW_LEFT ((size_t)2 * SVS__WINDOW_MOST + 512)

/* Words that a window of readers may leave unwritten (sched.W13). */
#define SVS__READ_MAX 8192u
#define SVS__READ_NONE UINT32_MAX

_Static_assert(SVS__WINDOW_TABLE_BITS <= 16, "the place of a word has 16 bits");

/* ---- left over for the next window (window/memory.c); under the domain's lock ---- */

void svs__window_push_left(svs__windows *ws, void *item);

/* Keeps the first `count` places for others, which the caller fills in. */
void **svs__window_make_way(svs__windows *ws, uint32_t count);

/* [sched.W7] Instances that were refused lead a window again, or wait among the deferred. */
void svs__window_take_returned(svs__domain *domain, svs_context *context);

/* The instance waits for a stage as the staged algorithm makes them, which makes its set. */
void svs__window_put_among_deferred(svs__domain *domain, void *item);

/* `count` more instances of a batch are of the window; one less. */
void svs__window_count(svs__windows *ws, svs__window *w, svs__batch *batch, uint32_t count);
void svs__window_uncount(svs__windows *ws, svs__window *w, const void *item);

/* ---- memory (window/memory.c) ---- */

/* The state of a domain. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__windows_new(svs__domain *domain, bool in_order);
void svs__windows_free(svs__domain *domain);

/* The arrays and the table of windows belong to a domain from its first window until its tasks have
 * ended (instance/contexts.h). Before a run: those of a domain that is in order, because stages of
 * the staged kind, which do without, keep no order (sched.W11). @return false: no memory. */
bool svs__windows_begin(svs__domain *domain);

/* If the tasks of the domain have ended, gives its memory back, for the next domain of a chain. Not
 * if another worker uses the memory just now, nor that of a domain that is in order. */
void svs__windows_rest(svs__domain *domain);

/* After the run: gives all back. */
void svs__windows_end(svs__domain *domain);

/* The arrays, made with the first window. @return false: no memory. */
bool svs__windows_make_arrays(svs__domain *domain);

/* A table for so many elements, empty if it is a new one: in one that is too small, instances share
 * words without a conflict. @return false: there is none, for lack of memory. */
bool svs__windows_fit_table(svs__domain *domain, uint64_t elements);

/* The words say nothing from here on. @return the number. */
uint32_t svs__window_next_number(svs__windows *ws);

/* [sched.W14] Whether the elements conflict with none that have joined since the number is the
 * next; then they join. By the owner of the stage, while no window is made. */
bool svs__window_join(svs__windows *ws, const svs__element *elements, uint32_t count);

/* The owner lets workers claim the `count` instances at the front of the window's stage (sched.P2).
 * The last to leave calls `end`, and owns the stage again. */
void svs__window_begin_stage(svs__domain *domain, svs_context *context, uint32_t count,
                             void (*end)(svs__domain *domain, svs_context *context));

/* ---- a word of the table (sched.W1): <svs/detail/loops.h> says what it has ---- */

#define SVS__ALL_COLOURS ((UINT64_C(1) << SVS__COLOURS) - 1)

_Static_assert(SVS__COLOURS <= SVS__COLOUR_BITS, "a word has room for the colours of both modes");

/* Those that are used of a word by several instances, one of them a writer, whatever their colour.
 */
static inline bool svs__colours_contend(uint64_t word) {
    uint64_t writers = word & SVS__ALL_COLOURS,
             readers = word >> SVS__COLOUR_BITS & SVS__ALL_COLOURS;
    return writers && (writers & (writers - 1) || readers);
}

/* ---- stages that are cut short (sched.W12) ---- */

/* If the stage is to be cut short (sched.W12): gives back what the worker has claimed of it, and
 * all that is left to claim. @return how many; the caller, which counts in `left`, leaves them. */
uint32_t svs__window_cut(svs_context *context);

/* The owner of a stage that has ended: keeps in it what was given back. @return how many were. */
uint32_t svs__window_keep_cut(svs__windows *ws);

#endif
