/* The search over ranks: figure 2.4 of Wen's thesis, on two hash tables. */
#ifndef TRIPUZZLE_SEARCH_H
#define TRIPUZZLE_SEARCH_H

#include "serial.h"
#include <svs/ranks.h>

/* One rank's part of the search. */
typedef struct tri_search tri_search;

/* Collective, outside of a run: makes the tables; at most one search for each dispatch of a rank.
 * @param dispatch of their inserts (hash.h): FIFO or in place. */
svs_status tri_search_new(svs_ranks *ranks, svs_dispatch dispatch, tri_search **search);
void tri_search_free(tri_search *search);

/* Collective: all ranks get the same result. */
svs_status tri_search_run(tri_search *search, const tri_game *game, tri_board start,
                          tri_result *result);

/* @return the processor time of all ranks in the last run. */
uint64_t tri_search_cpu_ns(const tri_search *search);

#endif
