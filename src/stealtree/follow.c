/* svs_replay_start() and svs_replay_stop(): a replay is driven by the tree of its trace, and is
 * traced itself; at the end both trees are compared. */
#include "base/sized.h"
#include "stealtree/message.h"
#include "stealtree/record.h"
#include "stealtree/replay.h"
#include <string.h>

static const svs_replay_options defaults = {.size = sizeof defaults};

void svs_replay_options_init_sized(svs_replay_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
    else
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_replay_options_init: no options: pass the address of a struct");
}

static svs_status check_tree(const svs_runtime *runtime, const svs__steal_tree *tree,
                             const svs__message *message) {
    if (tree->workers != runtime->options.threads)
        return svs__message_set(message, SVS_E_INVALID,
                                "the trace is of %u workers, and the runtime has %u", tree->workers,
                                runtime->options.threads);
    if (runtime->options.external_threads)
        return svs__message_set(message, SVS_E_INVALID,
                                "a replay needs all workers: make a runtime without "
                                "external_threads");
    if (tree->policy != runtime->options.policy)
        return svs__message_set(
            message, SVS_E_INVALID, "the trace is of a %s runtime, and this one is %s",
            tree->policy == SVS_POLICY_WORK_FIRST ? "work-first" : "help-first",
            tree->policy == SVS_POLICY_WORK_FIRST ? "help-first" : "work-first");
    return SVS_OK;
}

static svs_status follow(svs_runtime *runtime, svs__steal_tree *tree, bool timed) {
    svs__replay *replay = svs__replay_new(runtime, tree, timed);
    svs_trace_options options;
    svs_status status;
    if (replay == NULL) {
        svs__tree_free(tree);
        return SVS_E_NO_MEMORY;
    }
    svs_trace_options_init(&options);
    options.max_bytes = SIZE_MAX; /* no bound: the tree of the trace is in memory already */
    status = svs_trace_start(runtime, &options);
    if (status == SVS_OK) {
        replay->start_ns = svs__time_ns(); /* no earlier than the start of the new trace */
        status = svs__runtime_guide(runtime, &replay->guide);
        if (status && svs_trace_stop(runtime, NULL)) status = SVS_E_BUSY;
    }
    if (status) svs__replay_free(replay);
    return status;
}

svs_status svs_replay_start(svs_runtime *runtime, const svs_trace *trace,
                            const svs_replay_options *options, char *text, size_t size) {
    svs__message message = {text, size};
    svs_replay_options chosen = defaults;
    svs__steal_tree *tree;
    svs_status status;
    if (runtime == NULL || trace == NULL)
        return svs__message_set(&message, SVS_E_NULL,
                                "svs_replay_start: the runtime or the trace is NULL: pass both");
    if (options != NULL && svs__options_take(&chosen, sizeof chosen, options))
        return svs__message_status(&message, SVS_E_VERSION);
    if (svs__runtime_guided(runtime) != NULL) return svs__message_status(&message, SVS_E_BUSY);
    status = svs__tree_new_verified(trace, &tree, text, size);
    if (status) return status;
    status = check_tree(runtime, tree, &message);
    if (status) {
        svs__tree_free(tree);
        return status;
    }
    status = follow(runtime, tree, chosen.timed != 0);
    return status ? svs__message_status(&message, status) : SVS_OK;
}

/* The first phase of a worker that differs from the trace, or UINT32_MAX. */
static uint32_t differs_at(const svs__tree_worker *trace, const svs__tree_worker *ran) {
    uint32_t p = 0;
    while (p < trace->phase_count && p < ran->phase_count && svs__tree_equal_phase(trace, ran, p))
        p++;
    return p == trace->phase_count && p == ran->phase_count ? UINT32_MAX : p;
}

/* The worker of the differing phase that begins first in the trace; UINT32_MAX: no difference. */
static uint32_t first_to_differ(const svs__steal_tree *trace, const svs__steal_tree *ran) {
    uint32_t first = UINT32_MAX;
    uint64_t first_ns = 0;
    for (uint32_t w = 0; w < trace->workers; w++) {
        uint32_t p = differs_at(&trace->worker[w], &ran->worker[w]);
        uint64_t ns;
        if (p == UINT32_MAX) continue;
        ns = p < trace->worker[w].phase_count ? trace->worker[w].phases[p].begin_ns : UINT64_MAX;
        if (first != UINT32_MAX && first_ns <= ns) continue;
        first = w;
        first_ns = ns;
    }
    return first;
}

typedef unsigned long long ull;

static svs_status say_where(const svs__steal_tree *trace, const svs__steal_tree *ran,
                            const svs__message *message) {
    uint32_t w = first_to_differ(trace, ran), p;
    const svs__tree_phase *a, *b;
    if (w == UINT32_MAX) return SVS_OK;
    p = differs_at(&trace->worker[w], &ran->worker[w]);
    if (p >= ran->worker[w].phase_count)
        return svs__message_set(message, SVS_E_PARTED,
                                "phase %u of worker %u is missing: it has run %u phases, and %u "
                                "in the trace",
                                p, w, p, trace->worker[w].phase_count);
    if (p >= trace->worker[w].phase_count)
        return svs__message_set(message, SVS_E_PARTED,
                                "phase %u of worker %u is one too many: it has run %u phases, and "
                                "%u in the trace",
                                p, w, ran->worker[w].phase_count, p);
    a = &trace->worker[w].phases[p];
    b = &ran->worker[w].phases[p];
    return svs__message_set(message, SVS_E_PARTED,
                            "phase %u of worker %u was asyncs %llu to %llu with %u stolen, and in "
                            "the trace %llu to %llu with %u",
                            p, w, (ull)b->start.ordinal, (ull)b->end, b->steal_count,
                            (ull)a->start.ordinal, (ull)a->end, a->steal_count);
}

/* Was every event recorded? Here events are lost only for lack of memory. */
static bool is_whole(const svs__steal_tree *tree) {
    for (uint32_t w = 0; w < tree->workers; w++)
        if (tree->worker[w].lost != 0) return false;
    return true;
}

static svs_status compare(const svs__steal_tree *trace, const svs_trace *again,
                          const svs__message *message) {
    svs__steal_tree *ran;
    svs_status status = svs__tree_new(again, &ran, message->text, message->size);
    if (status) return status;
    status = is_whole(ran) ? say_where(trace, ran, message)
                           : svs__message_status(message, SVS_E_NO_MEMORY);
    svs__tree_free(ran);
    return status;
}

svs_status svs_replay_stop(svs_runtime *runtime, svs_trace **again, char *text, size_t size) {
    svs__message message = {text, size};
    svs__replay *replay = runtime == NULL ? NULL : svs__replay_of(svs__runtime_guided(runtime));
    svs_trace *trace;
    svs_status status;
    if (again != NULL) *again = NULL;
    if (runtime == NULL)
        return svs__message_set(&message, SVS_E_NULL, "svs_replay_stop: no runtime: pass one");
    if (replay == NULL) return svs__message_status(&message, SVS_E_STATE);
    status = svs_trace_stop(runtime, &trace);
    if (status) return svs__message_status(&message, status);
    /* succeeds, because svs_trace_stop() has found that nothing runs */
    (void)svs__runtime_guide(runtime, NULL);
    status = compare(replay->tree, trace, &message);
    svs__replay_free(replay);
    if (again != NULL) *again = trace;
    else svs_trace_free(trace);
    return status;
}
