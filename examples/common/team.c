#include "common/team.h"

static void *open_pool(unsigned threads) { return parallel_pool_new(threads); }

static void loop_in_pool(void *team, size_t count, size_t chunk, parallel_function *fn,
                         void *argument) {
    parallel_for(team, count, chunk, fn, argument);
}

static void close_pool(void *team) { parallel_pool_free(team); }

const team_kind team_pthreads = {NULL, open_pool, loop_in_pool, close_pool, NULL};
