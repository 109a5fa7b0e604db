/* Statistics of a rank, their sums over all ranks, and the names of the counts. */
#include "base/atomic.h"
#include "base/platform.h"
#include "base/sized.h"
#include "ranks/channel/lane.h"
#include "ranks/object/tree.h"

/* Names of the counts, in the order of the struct. */
static const char *const names[] = {"P",
                                    "Sched",
                                    "ThreadAlloc",
                                    "ThreadEnable",
                                    "ThreadDisp",
                                    "ThreadContext",
                                    "IdleCycle",
                                    "MsgSent",
                                    "FlowMsgSent",
                                    "ByteSent",
                                    "FastMsgSent",
                                    "RemoteOp",
                                    "ByteCopy",
                                    "records_run",
                                    "runs_in_place",
                                    "relayed",
                                    "flushes_full",
                                    "flushes_idle",
                                    "flushes_fibers",
                                    "flushes_age",
                                    "flushes_asked",
                                    "waits_counter",
                                    "waits_credit",
                                    "waits_overflow",
                                    "waits_target",
                                    "waits_frozen",
                                    "overflow_bytes_most",
                                    "waves",
                                    "idle_ns",
                                    "idle_work_ns",
                                    "cpu_ns"};
#define NAMES (sizeof names / sizeof *names)
static_assert(NAMES * sizeof(uint64_t) == sizeof(svs_ranks_statistics), "each number has a name");

const char *svs_ranks_statistics_name(size_t which) { return which < NAMES ? names[which] : NULL; }

/* CPU time of a step or run in progress since it was entered or last counted. leave() adds the
 * rest. */
static uint64_t cpu_since_entry(const svs_ranks *ranks, svs__cpu_clock *clock) {
    /* relaxed is enough: in a run, this thread itself has entered. */
    bool is_entered = ranks->in_run && svs__load_relaxed(&ranks->entered) != 0;
    return is_entered ? svs__cpu_clock_count(clock) : 0;
}

svs_status svs_ranks_statistics_get_sized(const svs_ranks *ranks, svs_ranks_statistics *statistics,
                                          size_t size) {
    svs_ranks_statistics now;
    svs__cpu_clock clock;
    if (ranks == NULL || statistics == NULL)
        return svs__refuse(ranks == NULL ? NULL : &ranks->log, SVS_E_NULL,
                           "svs_ranks_statistics_get: ranks or statistics is NULL: pass both");
    now = ranks->statistics;
    svs__lanes_add(ranks, &now);
    clock = ranks->cpu_clock;
    now.cpu_ns += cpu_since_entry(ranks, &clock);
    svs__output_put(statistics, size, &now, sizeof now);
    return SVS_OK;
}

static void add(void *into, const void *from, size_t count) {
    const size_t most = offsetof(svs_ranks_statistics, overflow_bytes_most) / sizeof(uint64_t);
    uint64_t *sum = into;
    const uint64_t *more = from;
    for (size_t i = 0; i < count; i++)
        if (i != most) sum[i] += more[i];
        else if (sum[i] < more[i]) sum[i] = more[i];
}

svs_status svs_ranks_statistics_sum_sized(svs_distributed *object, svs_ranks_statistics *sum,
                                          size_t size, svs_counter *done) {
    svs_ranks_statistics none = {0};
    svs_ranks *ranks = object == NULL ? NULL : object->ranks;
    if (object == NULL || sum == NULL)
        return svs__refuse(ranks == NULL ? NULL : &ranks->log, SVS_E_NULL,
                           "svs_ranks_statistics_sum: object or sum is NULL: pass both");
    svs__lanes_close(ranks);
    ranks->statistics.cpu_ns += cpu_since_entry(ranks, &ranks->cpu_clock);
    svs__output_put(sum, size, &none, sizeof none);
    if (size > sizeof none) size = sizeof none;
    return svs_reduce(object, add, &ranks->statistics, sum, sizeof(uint64_t),
                      size / sizeof(uint64_t), done);
}
