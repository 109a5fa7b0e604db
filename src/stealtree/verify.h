/* Is a trace consistent, and how large would the paper's have been?
 *
 * V1. It is whole: nothing was lost, and every phase has ended.
 * V2. There is a phase (and so, by V7, a root).
 * V3. A stolen async is in a phase of the victim's, which is another worker.
 * V4. Nobody else stole it.
 * V5. A phase begins no earlier than the one that it came from.
 * V6. What was suspended was resumed, once, and nothing else was; nothing under help-first was.
 * V7. From every phase, parents lead to a root.
 * That phases nest (T2), and that ordinals and times do not fall (T1), is the form of a trace: one
 * without it cannot be read, or made into a tree. */
#ifndef SVS_STEALTREE_VERIFY_H
#define SVS_STEALTREE_VERIFY_H

#include "stealtree/trace.h"

/* @param message the first that is wrong, by worker and phase; `size` bytes at most.
 * @return SVS_OK, SVS_E_TRACE, SVS_E_NO_MEMORY. */
svs_status svs__tree_verify(const svs__tree *tree, char *message, size_t size);

/* Makes the tree of a trace, and verifies it. @return as svs__tree_new() and svs__tree_verify(),
 * SVS_E_NULL; `*tree` is NULL after an error. */
svs_status svs__tree_new_verified(const svs_trace *trace, svs__tree **tree, char *message,
                                  size_t size);

/* Bytes of an identifier of a thread (v), of a step (m), and of a count of tasks (k). */
typedef struct svs__paper_sizes {
    uint32_t v, m, k;
} svs__paper_sizes;

/* b_h or b_w, by policy (Steal Tree section 7.3): the sum over all phases i, with s_i steals from
 * each, of v (1 + s_i) + s_i (m + k), without k under work-first. A resumed phase is a phase: its
 * beginning names whom it goes on after. */
uint64_t svs__paper_bytes(uint32_t policy, uint64_t phases, uint64_t steals,
                          const svs__paper_sizes *sizes);

#endif
