/* Making a replay: a seat for each worker of the tree. */
#include "stealtree/replay.h"

/* The time for which all workers must wait for each other before the program counts as diverged
 * from its trace (stealtree.W3): far longer than a thread stays preempted. */
#define STILL_NS 5000000000u

static void free_seat(const svs_allocator *allocator, svs__seat *seat, uint32_t phases) {
    size_t count = (size_t)phases + 1;
    svs__release(allocator, seat->handed_over, count * sizeof *seat->handed_over, alignof(void *));
    svs__release(allocator, seat->handed, count * sizeof *seat->handed, alignof(void *));
    svs__release(allocator, seat->resumes, count * sizeof *seat->resumes, alignof(void *));
    svs__release(allocator, seat->resumed_by, count * sizeof *seat->resumed_by, alignof(void *));
}

static bool make_seat(const svs_allocator *allocator, svs__seat *seat, uint32_t phases) {
    size_t count = (size_t)phases + 1;
    seat->handed_over =
        svs__allocate_zeroed(allocator, count * sizeof *seat->handed_over, alignof(void *));
    seat->handed = svs__allocate_zeroed(allocator, count * sizeof *seat->handed, alignof(void *));
    seat->resumes = svs__allocate_zeroed(allocator, count * sizeof *seat->resumes, alignof(void *));
    seat->resumed_by =
        svs__allocate_zeroed(allocator, count * sizeof *seat->resumed_by, alignof(void *));
    return seat->handed_over != NULL && seat->handed != NULL && seat->resumes != NULL &&
           seat->resumed_by != NULL;
}

/* Links each suspended phase to the phase that resumes it. */
static void link_resumed(svs__replay *replay) {
    for (uint32_t w = 0; w < replay->tree->workers; w++) {
        const svs__tree_worker *mine = &replay->tree->worker[w];
        for (uint32_t p = 0; p < mine->phase_count; p++) {
            const svs__phase_start *start = &mine->phases[p].start;
            if (start->kind != SVS__PHASE_RESUMED) continue;
            replay->seats[start->victim].resumes[start->at] = &mine->phases[p];
            replay->seats[start->victim].resumed_by[start->at] = w;
        }
    }
}

/* The worker's first root phase that is not before `phase`; without one, its number of phases. */
static uint32_t root_from(const svs__tree_worker *mine, uint32_t phase) {
    while (phase < mine->phase_count && mine->phases[phase].start.kind != SVS__PHASE_ROOT) phase++;
    return phase;
}

void svs__replay_next_turn(svs__replay *replay) {
    uint32_t turn = SVS__TREE_NONE;
    uint64_t first_ns = UINT64_MAX;
    for (uint32_t w = 0; w < replay->tree->workers; w++) {
        const svs__tree_worker *mine = &replay->tree->worker[w];
        uint32_t root = replay->seats[w].root = root_from(mine, replay->seats[w].root);
        if (root == mine->phase_count || mine->phases[root].begin_ns >= first_ns) continue;
        turn = w;
        first_ns = mine->phases[root].begin_ns;
    }
    /* relaxed is enough: only the test for a stall reads it */
    svs__store_relaxed(&replay->turn_ns, first_ns);
    /* [stealtree.W4] release: publishes the seats' `root` to the next owner of the turn; pairs with
     * roots() and begins_root(). */
    svs__store_release(&replay->turn, turn);
}

svs__replay *svs__replay_new(svs_runtime *runtime, svs__steal_tree *tree, bool timed) {
    const svs_allocator *allocator = svs__runtime_allocator(runtime);
    svs__replay *replay = svs__allocate_zeroed(allocator, sizeof *replay, alignof(svs__replay));
    bool made = true;
    if (replay == NULL) return NULL;
    replay->seats =
        svs__allocate_zeroed(allocator, tree->workers * sizeof(svs__seat), alignof(svs__seat));
    if (replay->seats == NULL) {
        svs__release(allocator, replay, sizeof *replay, alignof(svs__replay));
        return NULL;
    }
    replay->guide = svs__replay_guide();
    replay->runtime = runtime;
    replay->tree = tree;
    replay->timed = timed;
    svs__store_relaxed(&replay->still_ns, STILL_NS); /* relaxed: not shared yet */
    for (uint32_t w = 0; w < tree->workers; w++) {
        replay->seats[w].ordinal = runtime->workers[w].deque.async.ordinal;
        replay->seats[w].phase = runtime->workers[w].phases;
        /* [stealtree.W3] The worker counts as waiting: it may sleep, and not test anything before
         * the program has diverged. relaxed is enough: the replay is not shared yet. */
        svs__store_relaxed(&replay->seats[w].idle, 1);
        made = make_seat(allocator, &replay->seats[w], tree->worker[w].phase_count) && made;
    }
    if (made) {
        link_resumed(replay);
        svs__replay_next_turn(replay);
        return replay;
    }
    replay->tree = NULL;
    for (uint32_t w = 0; w < tree->workers; w++)
        free_seat(allocator, &replay->seats[w], tree->worker[w].phase_count);
    svs__release(allocator, replay->seats, tree->workers * sizeof(svs__seat), alignof(svs__seat));
    svs__release(allocator, replay, sizeof *replay, alignof(svs__replay));
    return NULL;
}

void svs__replay_free(svs__replay *replay) {
    const svs_allocator *allocator;
    uint32_t workers;
    if (replay == NULL) return;
    allocator = svs__runtime_allocator(replay->runtime);
    workers = replay->tree->workers;
    for (uint32_t w = 0; w < workers; w++)
        free_seat(allocator, &replay->seats[w], replay->tree->worker[w].phase_count);
    svs__tree_free(replay->tree);
    svs__release(allocator, replay->seats, workers * sizeof(svs__seat), alignof(svs__seat));
    svs__release(allocator, replay, sizeof *replay, alignof(svs__replay));
}
