/* The public calls of task stealers, and the tasks of this rank. */
#include "structures/stealer/stealer.h"
#include "base/sized.h"
#include "structures/refuse.h"
#include <stdio.h>
#include <string.h>

#define REFUSE(status, why) svs_ranks_refuse(ranks, (status), (why))

#define TASK_BYTES_MAX (1u << 20)
#define BUFFER_BYTES_MAX (1u << 23)

static uint32_t packed_bytes(uint32_t bytes) {
    return (uint32_t)sizeof(svs__stealer_task) + ((bytes + 7) & ~7u);
}

/* ---- options ---- */

static const svs_stealer_options defaults = {
    .size = sizeof defaults, .buffer_bytes = 16384, .threshold = 1, .tries = 2};

void svs_stealer_options_init_sized(svs_stealer_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
}

static const char *fault_of(svs_ranks *ranks, const svs_stealer_options *options) {
    char name[SVS_STEALER_NAME + 8];
    if (options->name == NULL || options->name[0] == '\0' ||
        strlen(options->name) >= SVS_STEALER_NAME)
        return "its name is missing, or longer than 23 bytes: choose another one";
    (void)snprintf(name, sizeof name, "%s.tasks", options->name);
    if (svs_distributed_find(ranks, name, 0) != NULL)
        return "its name is taken by another stealer: choose another one";
    if (options->task_bytes == 0 || options->task_bytes > TASK_BYTES_MAX)
        return "task_bytes is not 1 to 2^20: set it to the size of the largest task";
    if (options->buffer_bytes < packed_bytes(options->task_bytes) ||
        options->buffer_bytes > BUFFER_BYTES_MAX)
        return "buffer_bytes has no room for a task of task_bytes and 24 bytes, or is more than "
               "2^23: set it in between";
    if ((unsigned)options->network > SVS_STEALER_PUSH)
        return "its network is unknown: choose one of svs_stealer_network";
    if ((options->network == SVS_STEALER_OWN) != (options->neighbour != NULL))
        return "neighbour is set without SVS_STEALER_OWN, or missing with it: set both or neither";
    if (options->network == SVS_STEALER_RANDOM && options->tries == 0)
        return "tries is 0: ask one random victim, or choose another network";
    if (options->snapshot_of != NULL && options->snapshot_of->ranks != ranks)
        return "snapshot_of is a stealer of another rank: pass one of this rank";
    return NULL;
}

static svs_status take_options(svs_ranks *ranks, const svs_stealer_options *given,
                               svs_stealer_options *options) {
    const char *fault;
    svs_status status;
    *options = defaults;
    status = svs__structure_options_take(ranks, "svs_stealer", options, sizeof *options, given);
    if (status != SVS_OK) return status;
    fault = fault_of(ranks, options);
    return fault == NULL ? SVS_OK
                         : svs__refuse_call(ranks, SVS_E_INVALID, "svs_stealer_new", fault);
}

/* ---- tasks of this rank ---- */

static void fail(svs_stealer *stealer, svs_status status, const char *why) {
    svs_ignore(svs_structure_fail(stealer->structure, status, why));
}

/* Counts a removal of a task that was copied to `to`. The counter is increased last, because that
 * may run fibers. */
static void begin_task(svs_stealer *stealer, const svs__stealer_removal *to, uint32_t bytes,
                       uint32_t origin) {
    *to->bytes = bytes;
    stealer->in_progress++;
    stealer->statistics.removed++;
    stealer->statistics.local += origin == stealer->index;
    SVS__ASSERT(svs__stealer_is_conserved(stealer)); /* structures.K1 */
    svs_counter_add(stealer->ranks, to->available, 1);
}

static bool has_removals(const svs_stealer *stealer) {
    return stealer->removals_first != stealer->removals_end;
}

static svs__stealer_removal next_removal(svs_stealer *stealer) {
    svs__stealer_removal next = stealer->removals[stealer->removals_first++];
    if (!has_removals(stealer)) stealer->removals_first = stealer->removals_end = 0;
    return next;
}

/* Gives a task to the first removal that waits, or pools it. @return SVS_E_NO_MEMORY: neither. */
static svs_status put(svs_stealer *stealer, const svs__stealer_task *of, const void *data,
                      bool moved) {
    svs__task_pooled_task *task;
    if (has_removals(stealer) && !stealer->leader->closing) {
        svs__stealer_removal to = next_removal(stealer);
        SVS__ASSERT(stealer->pool.count == 0); /* structures.K11 */
        memcpy(to.task, data, of->bytes);
        begin_task(stealer, &to, of->bytes, of->origin);
        return SVS_OK;
    }
    task = svs__task_pool_new(&stealer->pool);
    if (task == NULL) return SVS_E_NO_MEMORY;
    task->hint = of->hint;
    task->bytes = of->bytes;
    task->origin = of->origin;
    task->moved = moved;
    memcpy(task->data, data, of->bytes);
    svs__task_pool_put(&stealer->pool, task);
    if (stealer->pool.count > stealer->statistics.pooled_most)
        stealer->statistics.pooled_most = stealer->pool.count;
    return SVS_OK;
}

/* ---- tasks between ranks ---- */

/* @return the bytes of a task in a record that has `bytes` left; 0: it is malformed. */
static uint32_t check_packed(const svs_stealer *stealer, const svs__stealer_task *packed,
                             uint32_t bytes) {
    if (bytes < sizeof *packed || packed->bytes > stealer->pool.task_bytes ||
        packed->origin >= stealer->count || packed_bytes(packed->bytes) > bytes)
        return 0;
    return packed_bytes(packed->bytes);
}

static void take_added(svs_ranks *ranks, void *part, const void *record, uint32_t bytes) {
    svs_stealer *stealer = part;
    const svs__stealer_task *packed = record;
    (void)ranks;
    if (check_packed(stealer, packed, bytes) != bytes) {
        fail(stealer, SVS_E_RECORD, "a task that was added is malformed");
        return;
    }
    stealer->statistics.received++;
    svs_mutation_end(stealer->steal.outbox.snapshot, 1, SVS_NO_EPOCH);
    if (put(stealer, packed, packed->data, false) != SVS_OK)
        fail(stealer, SVS_E_NO_MEMORY, "there is no memory for a task that was added here");
    else svs__steal_share(&stealer->steal);
}

static void pack(const svs__task_pooled_task *task, svs__stealer_task *to) {
    *to = (svs__stealer_task){task->hint, task->bytes, task->origin};
    memcpy(to->data, task->data, task->bytes);
    memset(to->data + task->bytes, 0, packed_bytes(task->bytes) - sizeof *to - task->bytes);
}

/* Gives half of the work in the pool, rounded up while a task is in progress on this rank
 * (structures.K12). */
static uint32_t give(void *owner, void *to, uint32_t room, uint32_t *weight) {
    svs_stealer *stealer = owner;
    svs__task_pool *pool = &stealer->pool;
    uint64_t half = (pool->work + (stealer->in_progress != 0)) / 2, given = 0;
    uint32_t bytes = 0, least = stealer->in_progress == 0, count = pool->count;
    const svs__task_pooled_task *next;
    while (given < half && pool->count > least &&
           (next = svs__task_pool_look(pool, SVS__TASK_MOVABLE)) != NULL &&
           bytes + packed_bytes(next->bytes) <= room) {
        svs__task_pooled_task *task = svs__task_pool_take(pool, SVS__TASK_MOVABLE);
        pack(task, (void *)((char *)to + bytes));
        bytes += packed_bytes(task->bytes);
        given += svs__task_pool_work(task);
        svs__task_pool_free(pool, task);
    }
    SVS__ASSERT(pool->count >= least || pool->count == count); /* structures.K12 */
    *weight = count - pool->count;
    stealer->statistics.given += *weight;
    return bytes;
}

static void take(void *owner, const void *things, uint32_t bytes, bool back) {
    svs_stealer *stealer = owner;
    uint32_t at = 0;
    while (at != bytes) {
        const svs__stealer_task *packed = (const void *)((const char *)things + at);
        uint32_t some = check_packed(stealer, packed, bytes - at);
        if (some == 0) {
            fail(stealer, SVS_E_RECORD, "a loot is malformed");
            return;
        }
        at += some;
        stealer->statistics.given -= back;
        stealer->statistics.migrated += !back;
        if (put(stealer, packed, packed->data, !back) != SVS_OK) {
            fail(stealer, SVS_E_NO_MEMORY, "there is no memory for tasks that were stolen");
            return;
        }
    }
    if (!back) svs__steal_share(&stealer->steal);
}

static bool has_too_little(const void *owner) {
    const svs_stealer *stealer = owner;
    return stealer->pool.count < stealer->threshold && !stealer->leader->ended &&
           !stealer->leader->closing;
}

static const svs__steal_owner as_owner = {give, take, has_too_little};

/* ---- making ---- */

static void unlink_it(const svs_stealer *stealer) {
    svs_stealer *at = stealer->leader;
    while (at != NULL && at->next != stealer) at = at->next;
    if (at != NULL) at->next = stealer->next;
}

static void release(svs_ranks *ranks, void *part) {
    svs_stealer *stealer = part;
    svs_allocator allocator = *svs_ranks_allocator(ranks);
    if (stealer->leader != stealer) unlink_it(stealer);
    svs__steal_clean_up(&stealer->steal);
    svs__task_pool_clean_up(&stealer->pool);
    svs__array_release(&allocator, stealer->removals, stealer->removals_capacity,
                       sizeof *stealer->removals);
    svs__release(&allocator, stealer->scratch, packed_bytes(stealer->pool.task_bytes), 16);
    svs__release(&allocator, stealer, sizeof *stealer, _Alignof(svs_stealer));
}

static void share_again(void *self) {
    svs_stealer *stealer = self;
    svs__steal_share(&stealer->steal);
    svs__stealer_look_idle(stealer);
}

static svs_status init_steal(svs_stealer *stealer, const svs_stealer_options *options) {
    svs_ranks *ranks = stealer->ranks;
    char fault[160] = "";
    svs__steal_options steal = {.owner = &as_owner,
                                .name = options->name,
                                .neighbour = options->neighbour != NULL
                                                 ? options->neighbour
                                                 : svs__network_function(options->network),
                                .argument = options->argument,
                                .room = options->buffer_bytes,
                                .seed = options->seed};
    svs_status status;
    if (options->network == SVS_STEALER_RANDOM) steal.random_tries = options->tries;
    status = svs__steal_init(&stealer->steal, ranks, &steal, fault, sizeof fault);
    stealer->steal.outbox.emptied = share_again;
    stealer->steal.outbox.self = stealer;
    return status == SVS_E_INVALID ? svs__refuse_call(ranks, status, "svs_stealer_new", fault)
                                   : status;
}

static svs_status make(svs_ranks *ranks, const svs_stealer_options *options, svs_stealer **made) {
    const svs_allocator *allocator = svs_ranks_allocator(ranks);
    svs_stealer *stealer = svs__allocate_zeroed(allocator, sizeof *stealer, _Alignof(svs_stealer));
    svs_status status;
    if (stealer == NULL) return SVS_E_NO_MEMORY;
    stealer->ranks = ranks;
    stealer->leader = stealer;
    stealer->index = svs_ranks_index(ranks);
    stealer->count = svs_ranks_count(ranks);
    stealer->threshold = options->threshold;
    stealer->pushes = options->network == SVS_STEALER_PUSH;
    svs__random_seed(&stealer->random, ~options->seed + stealer->index);
    svs__task_pool_init(&stealer->pool, allocator, options->task_bytes);
    status = init_steal(stealer, options);
    stealer->scratch = svs__allocate_zeroed(allocator, packed_bytes(options->task_bytes), 16);
    if (status == SVS_OK && stealer->scratch == NULL) status = SVS_E_NO_MEMORY;
    if (status == SVS_OK) *made = stealer;
    else release(ranks, stealer);
    return status;
}

/* Adds a stealer to the list of those that share its snapshot. */
static void join(svs_stealer *stealer, const svs_stealer *other) {
    stealer->leader = other->leader;
    stealer->next = other->leader->next;
    other->leader->next = stealer;
}

static svs_status make_structure(svs_stealer *stealer, const svs_stealer_options *given) {
    svs_handler handlers[SVS__STEALER_HANDLERS];
    svs_structure_options options;
    svs_status status;
    (void)snprintf(stealer->name, sizeof stealer->name, "%s.tasks", given->name);
    (void)snprintf(stealer->add_name, sizeof stealer->add_name, "%s.add.%u", given->name,
                   (unsigned)given->task_bytes);
    handlers[SVS__STEALER_ADD] = (svs_handler){
        .name = stealer->add_name, .dispatch = SVS_DISPATCH_IN_PLACE, .run_in_place = take_added};
    svs__steal_handlers(&stealer->steal, handlers + SVS__STEALER_STEAL);
    svs_structure_options_init(&options);
    options.name = stealer->name;
    options.part = stealer;
    options.release = release;
    options.handlers = handlers;
    options.handler_count = SVS__STEALER_HANDLERS;
    if (given->snapshot_of != NULL) options.snapshot_of = given->snapshot_of->leader->structure;
    status = svs_structure_new(stealer->ranks, &options, &stealer->structure, NULL);
    if (status != SVS_OK) return status;
    svs__steal_begin(&stealer->steal, stealer->structure, SVS__STEALER_STEAL);
    if (given->snapshot_of != NULL) join(stealer, given->snapshot_of);
    return SVS_OK;
}

svs_status svs_stealer_new(svs_ranks *ranks, const svs_stealer_options *given, svs_stealer **made) {
    svs_stealer_options options;
    svs_stealer *stealer = NULL;
    svs_status status;
    if (ranks == NULL || made == NULL)
        return REFUSE(SVS_E_NULL, "svs_stealer_new: ranks or stealer is NULL: pass both");
    if (svs_ranks_in_run(ranks))
        return REFUSE(SVS_E_STATE, "svs_stealer_new: called in a run: make stealers before it");
    status = take_options(ranks, given, &options);
    if (status == SVS_OK) status = make(ranks, &options, &stealer);
    if (status != SVS_OK) {
        svs_structure_decline(ranks);
        return status;
    }
    status = make_structure(stealer, &options);
    if (status == SVS_OK) *made = stealer;
    else release(ranks, stealer);
    return status;
}

svs_status svs_stealer_free(svs_stealer *stealer, svs_counter *done) {
    if (stealer == NULL)
        return svs_ranks_refuse(NULL, SVS_E_NULL, "svs_stealer_free: stealer is NULL: pass one");
    if (svs__stealer_tasks(stealer) != 0 || has_removals(stealer) || stealer->waiter != NULL)
        return svs__refuse_call(stealer->ranks, SVS_E_BUSY, "svs_stealer_free",
                                "it has tasks, or a fiber waits for it: wait for its termination");
    return svs_structure_free(stealer->structure, done);
}

/* ---- operations ---- */

static svs_status check(const svs_stealer *stealer, const void *given, const char *call) {
    if (SVS__UNLIKELY(stealer == NULL || given == NULL))
        return svs__refuse_call(
            stealer == NULL ? NULL : stealer->ranks, SVS_E_NULL, call,
            "stealer, task, bytes or counter is NULL: none of them may be NULL");
    if (SVS__UNLIKELY(!svs_ranks_in_run(stealer->ranks)))
        return svs__refuse_call(stealer->ranks, SVS_E_OUTSIDE, call,
                                "there is no run: call it in a fiber");
    return SVS_OK;
}

static svs_status send(svs_stealer *stealer, uint32_t to, const svs__stealer_task *of,
                       const void *data) {
    uint32_t bytes = packed_bytes(of->bytes);
    svs__stealer_task *packed = stealer->scratch;
    svs_status status;
    *packed = *of;
    memcpy(packed->data, data, of->bytes);
    memset(packed->data + of->bytes, 0, bytes - sizeof *packed - of->bytes);
    status = svs__outbox_post(&stealer->steal.outbox, to,
                              svs_structure_handler(stealer->structure, SVS__STEALER_ADD), packed,
                              bytes, 1);
    if (status == SVS_OK) stealer->statistics.sent++;
    return status;
}

svs_status svs_stealer_add(svs_stealer *stealer, uint32_t to, const void *task, size_t bytes,
                           const svs_stealer_hint *hint) {
    svs__stealer_task of = {.bytes = (uint32_t)bytes};
    svs_status status = check(stealer, task, "svs_stealer_add");
    if (status != SVS_OK) return status;
    if (bytes > stealer->pool.task_bytes)
        return svs__refuse_call(
            stealer->ranks, SVS_E_INVALID, "svs_stealer_add",
            "the task has more than task_bytes: raise the option, or add a smaller task");
    if (to == SVS_STEALER_ANY)
        to = stealer->pushes ? svs__random_below(&stealer->random, stealer->count) : stealer->index;
    if (to >= stealer->count)
        return svs__refuse_call(
            stealer->ranks, SVS_E_INVALID, "svs_stealer_add",
            "there is no rank of this number: pass one that exists, or SVS_STEALER_ANY");
    if (hint != NULL) of.hint = *hint;
    of.origin = stealer->index;
    stealer->statistics.added++;
    status = to == stealer->index ? put(stealer, &of, task, false) : send(stealer, to, &of, task);
    if (status == SVS_OK) svs__steal_share(&stealer->steal);
    else stealer->statistics.added--;
    return status;
}

/* Keeps a removal until there is a task. */
static svs_status suspend(svs_stealer *stealer, const svs__stealer_removal *removal) {
    uint32_t waiting = stealer->removals_end - stealer->removals_first;
    if (stealer->removals_first != 0) { /* the removals before the first one have ended */
        memmove(stealer->removals, stealer->removals + stealer->removals_first,
                waiting * sizeof *stealer->removals);
        stealer->removals_first = 0;
        stealer->removals_end = waiting;
    }
    if (!svs__grow(&stealer->pool.allocator, (void **)&stealer->removals,
                   &stealer->removals_capacity, stealer->removals_end + 1,
                   sizeof *stealer->removals))
        return SVS_E_NO_MEMORY;
    stealer->removals[stealer->removals_end++] = *removal;
    svs__steal_look(&stealer->steal);
    return SVS_WAIT;
}

svs_status svs_stealer_remove(svs_stealer *stealer, void *to, size_t *bytes,
                              svs_counter *available) {
    svs__stealer_removal removal = {to, bytes, available};
    svs_status status = check(stealer, to, "svs_stealer_remove");
    svs__task_pooled_task *task;
    uint32_t size, origin;
    if (status == SVS_OK) status = check(stealer, bytes, "svs_stealer_remove");
    if (status == SVS_OK) status = check(stealer, available, "svs_stealer_remove");
    if (status != SVS_OK) return status;
    task = stealer->leader->closing ? NULL : svs__task_pool_take(&stealer->pool, SVS__TASK_FIRST);
    if (task == NULL && stealer->leader->ended) {
        *bytes = SVS_STEALER_END;
        svs_counter_add(stealer->ranks, available, 1);
        return SVS_OK;
    }
    if (task == NULL) return suspend(stealer, &removal);
    size = task->bytes;
    origin = task->origin;
    memcpy(to, task->data, size);
    svs__task_pool_free(&stealer->pool, task);
    svs__steal_look(&stealer->steal);
    begin_task(stealer, &removal, size, origin);
    return SVS_OK;
}

svs_status svs_stealer_complete(svs_stealer *stealer) {
    if (stealer == NULL)
        return svs_ranks_refuse(NULL, SVS_E_NULL,
                                "svs_stealer_complete: stealer is NULL: pass one");
    if (SVS__UNLIKELY(stealer->in_progress == 0))
        return svs__refuse_call(
            stealer->ranks, SVS_E_STATE, "svs_stealer_complete",
            "no task is in progress on this rank: complete each removed task exactly once");
    stealer->in_progress--;
    stealer->statistics.completed++;
    svs__steal_share(&stealer->steal);
    svs__stealer_look_idle(stealer);
    return SVS_OK;
}

void svs__stealer_end_removals(svs_stealer *stealer) {
    for (uint32_t left = stealer->removals_end - stealer->removals_first; left != 0; left--) {
        svs__stealer_removal removal = next_removal(stealer);
        *removal.bytes = SVS_STEALER_END;
        svs_counter_add(stealer->ranks, removal.available, 1);
    }
}

svs_status svs_stealer_statistics_get_sized(const svs_stealer *stealer,
                                            svs_stealer_statistics *statistics, size_t size) {
    svs_stealer_statistics counts;
    if (stealer == NULL || statistics == NULL)
        return svs_ranks_refuse(NULL, SVS_E_NULL,
                                "svs_stealer_statistics_get: stealer or statistics is NULL: pass "
                                "both");
    counts = stealer->statistics;
    counts.requests = stealer->steal.requests;
    counts.refusals = stealer->steal.refusals;
    counts.lifelines = stealer->steal.lifelines_asked;
    counts.delayed = stealer->steal.outbox.delayed;
    counts.waves = stealer->leader->waves;
    counts.freezes = stealer->leader->freezes;
    counts.terminations = stealer->leader->terminations;
    svs__output_put(statistics, size, &counts, sizeof counts);
    return SVS_OK;
}
