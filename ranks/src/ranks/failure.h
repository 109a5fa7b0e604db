/* The first failure of this rank, which ends the run on all ranks (ending.h).
 *
 *     if (...) return svs__fail(ranks, SVS_E_RECORD, "a record of rank %u ...", from);
 *
 *   ranks.X1  All ranks return the same first failure, and all memory is released. The text of a
 *             death ends with what each rank's own structures waited for.
 *
 * The loop notices the failure after the fiber that runs has ended. */
#ifndef SVS__RANKS_FAILURE_H
#define SVS__RANKS_FAILURE_H

#include "ranks/state.h"

/* Text of the failure for a rank that has died. */
#define SVS__LEFT_TEXT "it died, or left before the end of the run"

/* Records the first failure of this rank, which ends the run; later ones are only logged. @return
 * `status`. */
SVS__COLD svs_status svs__fail(svs_ranks *ranks, svs_status status, const char *format, ...)
    SVS__PRINTF_LIKE(3, 4);

/* Fills in a verdict: the rank, its status and the text. */
void svs__verdict_set(svs__verdict *verdict, svs__verdict_kind kind, uint32_t rank,
                      svs_status status, const char *text);

#endif
