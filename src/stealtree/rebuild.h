/* From a trace to what a replay follows (Steal Tree section 7.2). */
#ifndef SVS_STEALTREE_REBUILD_H
#define SVS_STEALTREE_REBUILD_H

#include "stealtree/trace.h"
#include "worksteal/plan.h"

/* The plan of a consistent trace. @param message on failure, what is wrong with the trace; `size`
 * bytes at most. @return SVS_OK, SVS_E_NULL, SVS_E_TRACE (not consistent), SVS_E_NO_MEMORY. */
svs_status svs__plan_new(const svs_trace *trace, svs__plan **plan, char *message, size_t size);

/* The same, of a tree that svs__tree_verify() has found consistent. @return NULL when there is no
 * memory. */
svs__plan *svs__plan_of_tree(const svs__tree *tree);

/* NULL is allowed. */
void svs__plan_free(svs__plan *plan);

/* Are the phases `at` of two workers the same, with their steals, but for the times? */
bool svs__plan_equal_phase(const svs__plan_worker *of, const svs__plan_worker *other, uint32_t at);

/* Do two plans describe the same steal tree: all but the times? */
bool svs__plan_equal(const svs__plan *a, const svs__plan *b);

#endif
