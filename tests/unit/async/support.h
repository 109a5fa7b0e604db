/* The teams that async-finish is tested on, a child that escapes from its finish, and a log. */
#ifndef SVS_TESTS_ASYNC_SUPPORT_H
#define SVS_TESTS_ASYNC_SUPPORT_H

#include "../worksteal/running.h"
#include <string.h>
#include <svs/async.h>

typedef struct team {
    uint32_t policy, threads;
} team;

/* The last two are left out where each stack is dear: under ThreadSanitizer. */
static const team teams[] = {
    {SVS_POLICY_HELP_FIRST, 1},  {SVS_POLICY_HELP_FIRST, 2},  {SVS_POLICY_HELP_FIRST, 8},
    {SVS_POLICY_WORK_FIRST, 1},  {SVS_POLICY_WORK_FIRST, 2},  {SVS_POLICY_WORK_FIRST, 8},
    {SVS_POLICY_HELP_FIRST, 64}, {SVS_POLICY_WORK_FIRST, 64},
};
static inline const team *teams_end(void) { return &teams[scaled(100, 0) >= 10 ? 8 : 6]; }
#define EACH_TEAM(team_) for (const team *team_ = teams; team_ != teams_end(); team_++)
#define EACH_POLICY(policy_)                                                                       \
    for (uint32_t policy_ = SVS_POLICY_HELP_FIRST; policy_ <= SVS_POLICY_WORK_FIRST; policy_++)

static inline svs_runtime *team_of(const team *on) {
    return started_as(on->policy, on->threads, 20);
}

typedef struct runaway {
    uint32_t *mark;
    uint32_t hops;
} runaway;

/* Goes on in a child of its own, over and over, before it leaves its mark. */
static inline void run_away(svs_async_context *async, void *argument) {
    runaway next = *(runaway *)argument;
    if (next.hops-- == 0) ++*next.mark;
    else svs_async(async, run_away, &next, sizeof next);
}

typedef struct heard {
    _Atomic(uint32_t) errors;
    char last[SVS__LOG_LINE];
} heard;

static inline void hear(int level, const char *text, void *argument) {
    heard *h = argument;
    if (level == SVS_LOG_ERROR && svs__fetch_add_relaxed(&h->errors, 1) == 0) strcpy(h->last, text);
}

static inline svs_runtime_options options_that_tell(uint32_t policy, uint32_t threads, heard *h) {
    svs_runtime_options options = options_as(policy, threads, 20);
    options.log = hear;
    options.log_argument = h;
    return options;
}

#endif
