/* How a fiber that posts much waits for credit. */
#ifndef SVS_TESTS_RANKS_POST_AGAIN_H
#define SVS_TESTS_RANKS_POST_AGAIN_H

#include <svs/ranks.h>

/* A post to rank `to` was not accepted, with `status`. On SVS_WAIT the fiber goes on as
 * `function`, its own continuation, when that rank is ready. @return what the fiber returns. */
static inline svs_status post_again(svs_ranks *ranks, svs_status status, uint32_t to,
                                    svs_fiber_function *function) {
    svs_fiber rest;
    if (status != SVS_WAIT) return status;
    status = svs_fiber_continue(ranks, function, &rest);
    return status ? status : svs_post_ready(ranks, to, rest);
}

#endif
