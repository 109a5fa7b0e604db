/* Verification of a trace, and the size of the same trace in the paper's format.
 *
 * A trace is input: a violation is no assertion, but SVS_E_TRACE with a message.
 *
 *   stealtree.V1  The trace is complete: no event was lost, and every phase has ended. (not
 *                 asserted: input)
 *   stealtree.V2  There is at least one phase, and so, by stealtree.V7, a root. (not asserted:
 *                 input)
 *   stealtree.V3  A stolen async belongs to a phase of its victim, which is another worker. (not
 *                 asserted: input)
 *   stealtree.V4  An async is stolen at most once. (not asserted: input)
 *   stealtree.V5  A phase begins no earlier than its parent. (not asserted: input)
 *   stealtree.V6  Each suspended phase is resumed exactly once, and no other phase is. Under
 *                 help-first no phase is suspended. (not asserted: input)
 *   stealtree.V7  From every phase, the parents lead to a root. (not asserted: input)
 *
 * The form of a trace implies stealtree.T1 and stealtree.T2: a trace without them cannot be read,
 * or made into a tree. */
#ifndef SVS_STEALTREE_VERIFY_H
#define SVS_STEALTREE_VERIFY_H

#include "stealtree/trace.h"

/* @param message the first violation, by worker and phase; `size` bytes at most.
 * @return SVS_OK, SVS_E_TRACE, SVS_E_NO_MEMORY. */
svs_status svs__tree_verify(const svs__steal_tree *tree, char *message, size_t size);

/* Makes the tree of a trace, and verifies it. @return as svs__tree_new() and svs__tree_verify(),
 * SVS_E_NULL; `*tree` is NULL after an error. */
svs_status svs__tree_new_verified(const svs_trace *trace, svs__steal_tree **tree, char *message,
                                  size_t size);

/* Sizes in bytes of the identifier of a thread (v), of a step (m), and of a count of tasks (k). */
typedef struct svs__paper_sizes {
    uint32_t v, m, k;
} svs__paper_sizes;

/* The size of a trace in the paper's format, b_h or b_w, by policy (Steal Tree section 7.3): the
 * sum over all phases i, with s_i steals from each, of v (1 + s_i) + s_i (m + k), without k under
 * work-first. A resumed phase is a phase: its begin names the worker of the phase that it
 * resumes. */
uint64_t svs__paper_bytes(uint32_t policy, uint64_t phases, uint64_t steals,
                          const svs__paper_sizes *sizes);

#endif
