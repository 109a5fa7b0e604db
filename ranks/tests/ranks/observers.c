/* Observers: a program's characteristic is written from their events alone and agrees with the
 * statistics; categories follow fibers and records, also to other ranks, and leak nowhere. */
#include "ranks/program.h"
#include <inttypes.h>
#include <stdio.h>

enum { RANKS = 3, POSTS = 60, BUCKETS = 24, LINES = 4096 };

/* ---- a characteristic: what a profiler counts and prints ---- */

typedef struct characteristic {
    svs_ranks *ranks;
    svs_ranks_observer observer;
    uint64_t threads, with_stack, fibers, ended, continued, enabled, by_none;
    uint64_t waits[3], runs[3], operations[2], agreed[2], snapshots[3];
    uint64_t sent[SVS_PACKET_CONTROL + 1], sent_records, sent_bytes, received, received_records;
    uint64_t handler_runs, in_place_runs, records, record_bytes;
    uint64_t idle_begins, idle_ends, fiber_ns, begun_at[8];
    uint64_t fiber_times[BUCKETS], record_sizes[BUCKETS]; /* by their logarithm */
    uint32_t depth;
    int wrong;
} characteristic;

static uint32_t bucket_of(uint64_t value) {
    uint32_t bucket = 0;
    while (value > 1 && bucket + 1 < BUCKETS) value /= 2, bucket++;
    return bucket;
}

static void created(const svs_observed_fiber *fiber, void *argument) {
    characteristic *mine = argument;
    svs_fiber_facts facts;
    svs_observed_fiber_get(fiber, &facts);
    mine->threads++;
    mine->with_stack += facts.has_stack;
}

static void enabled(const svs_observed_fiber *fiber, svs_fiber by, void *argument) {
    characteristic *mine = argument;
    mine->enabled++;
    mine->by_none += by.slot == SVS_NO_FIBER;
}

static void begins(const svs_observed_fiber *fiber, void *argument) {
    characteristic *mine = argument;
    mine->fibers++;
    CHECK(mine, mine->depth < 8);
    mine->begun_at[mine->depth++] = svs_ranks_now(mine->ranks);
}

static void ends(const svs_observed_fiber *fiber, bool continues, void *argument) {
    characteristic *mine = argument;
    uint64_t ns;
    CHECK(mine, mine->depth != 0);
    ns = svs_ranks_now(mine->ranks) - mine->begun_at[--mine->depth];
    mine->ended++;
    mine->continued += continues != 0;
    mine->fiber_ns += ns;
    mine->fiber_times[bucket_of(ns)]++;
}

static void handler_begins(const svs_observed_records *records, void *argument) {
    characteristic *mine = argument;
    CHECK(mine, records->from < RANKS && records->handler->name != NULL);
    mine->handler_runs++;
    mine->in_place_runs += records->handler->dispatch == SVS_DISPATCH_IN_PLACE;
    mine->records += records->count;
    mine->record_bytes += (uint64_t)records->count * records->bytes;
    mine->record_sizes[bucket_of(records->bytes)] += records->count;
}

static void handler_ends(const svs_observed_records *records, void *argument) {
    characteristic *mine = argument;
    mine->handler_runs--; /* each begin has its end */
}

static void idle_begins(void *argument) { ((characteristic *)argument)->idle_begins++; }
static void idle_ends(void *argument) { ((characteristic *)argument)->idle_ends++; }

static void waits(const svs_observed_fiber *fiber, svs_wait_kind kind, void *argument) {
    ((characteristic *)argument)->waits[kind]++;
}

static void sent(uint32_t to, svs_packet_rule rule, uint32_t records, size_t bytes,
                 void *argument) {
    characteristic *mine = argument;
    CHECK(mine, (records != 0) == (rule != SVS_PACKET_CONTROL));
    mine->sent[rule]++;
    mine->sent_records += records;
    mine->sent_bytes += bytes;
}

static void received(uint32_t from, uint32_t records, size_t bytes, void *argument) {
    characteristic *mine = argument;
    mine->received++;
    mine->received_records += records;
}

static void collective_begins(svs_collective_kind kind, const char *name, void *argument) {
    characteristic *mine = argument;
    if (kind == SVS_COLLECTIVE_OPERATION) mine->operations[0]++;
    else mine->agreed[0]++;
    CHECK(mine, (kind == SVS_COLLECTIVE_OPERATION) == (name[0] != 0));
}

static void collective_ends(svs_collective_kind kind, const char *name, void *argument) {
    characteristic *mine = argument;
    if (kind == SVS_COLLECTIVE_OPERATION) mine->operations[1]++;
    else mine->agreed[1]++;
}

static void snapshot(svs_snapshot_step step, const char *name, void *argument) {
    ((characteristic *)argument)->snapshots[step]++;
}

static svs_status attach(svs_ranks *ranks, characteristic *mine) {
    svs_ranks_observer *observer = &mine->observer;
    mine->ranks = ranks;
    svs_ranks_observer_init(observer);
    observer->argument = mine;
    observer->fiber_created = created;
    observer->fiber_enabled = enabled;
    observer->fiber_begins = begins;
    observer->fiber_ends = ends;
    observer->handler_begins = handler_begins;
    observer->handler_ends = handler_ends;
    observer->idle_begins = idle_begins;
    observer->idle_ends = idle_ends;
    observer->waits = waits;
    observer->packet_sent = sent;
    observer->packet_received = received;
    observer->collective_begins = collective_begins;
    observer->collective_ends = collective_ends;
    observer->snapshot = snapshot;
    return svs_ranks_observer_attach(ranks, observer);
}

/* Lines as those of a program's --characteristics. */
static void print_histogram(FILE *to, const char *name, const uint64_t *counts) {
    for (uint32_t i = 0; i < BUCKETS; i++)
        if (counts[i] != 0)
            fprintf(to, "%s %" PRIu64 " %" PRIu64 "\n", name, UINT64_C(1) << i, counts[i]);
}

static void print(FILE *to, const characteristic *of) {
    fprintf(to, "threads %" PRIu64 "\nfibers %" PRIu64 "\n", of->threads, of->fibers);
    fprintf(to, "synchronization_events %" PRIu64 "\n",
            of->waits[SVS_WAIT_COUNTER] + of->waits[SVS_WAIT_UNFREEZE] + of->operations[0]);
    fprintf(to, "communication_events %" PRIu64 "\nrecord_bytes %" PRIu64 "\n", of->records,
            of->record_bytes);
    print_histogram(to, "fiber_ns", of->fiber_times);
    print_histogram(to, "record_bytes", of->record_sizes);
}

/* ---- the program: fibers, threads, records of both kinds, barriers, a freeze ---- */

typedef struct own {
    characteristic first, second;
    svs_counter done, never;
    svs_distributed *object;
    svs_snapshot *snapshot;
    uint32_t posted, begun;
    int wrong;
} own;

typedef struct step {
    svs_thread thread;
    own *mine;
} step;

typedef struct word {
    uint64_t value;
} word;

static void take(svs_ranks *ranks, void *part, const word *words, uint32_t count) {}
static svs_status take_one(svs_ranks *ranks, void *state) { return SVS_OK; }
SVS_HANDLER_IN_PLACE(in_place, word, take)
SVS_HANDLER(as_fiber, word, take_one, SVS_DISPATCH_FIFO)
static const svs_handler *const handlers[] = {&in_place, &as_fiber};

static svs_status await_done(svs_ranks *ranks, void *state) {
    own *mine = *(own **)state;
    return svs_await(ranks, &mine->done, 3);
}

static svs_status mutate(svs_ranks *ranks, void *state) {
    own *mine = *(own **)state;
    svs_status status = svs_mutation_begin(mine->snapshot, 1, NULL);
    svs_fiber rest;
    if (status == SVS_OK) {
        mine->begun++;
        svs_mutation_end(mine->snapshot, 1, SVS_NO_EPOCH);
        return SVS_OK;
    }
    status = svs_fiber_continue(ranks, mutate, &rest);
    return status != SVS_OK ? status : svs_mutation_ready(mine->snapshot, rest);
}

static svs_status later(svs_status status) { return status == SVS_WAIT ? SVS_OK : status; }

static svs_status work(svs_ranks *ranks, void *state) {
    step *me = state;
    own *mine = me->mine;
    svs_status status;
    svs_fiber fiber;
    SVS_THREAD_BEGIN(ranks, me);
    if (mine->object == NULL) { /* posts that wait go on from above */
        status = svs_distributed_new(ranks, "all", 0, mine, &mine->object, &mine->done);
        if (later(status)) return status;
        status = svs_snapshot_new(ranks, "frozen", 0, &mine->snapshot, &mine->done);
        if (later(status)) return status;
        status = svs_thread_spawn(ranks, await_done, &mine, sizeof mine, NULL);
        if (status) return status;
    }
    SVS_AWAIT(ranks, me, &mine->done, 2);
    while (mine->posted < POSTS) {
        const word record = {mine->posted};
        uint32_t to = mine->posted % RANKS;
        status = mine->posted % 4 < 2 ? in_place_post(ranks, to, &record)
                                      : as_fiber_post(ranks, to, &record);
        if (status == SVS_OK) mine->posted++;
        else if (status != SVS_WAIT) return status;
        else {
            status = svs_fiber_continue(ranks, work, &fiber);
            return status != SVS_OK ? status : svs_post_ready(ranks, to, fiber);
        }
    }
    status = svs_barrier(mine->object, &mine->done);
    if (later(status)) return status;
    SVS_AWAIT(ranks, me, &mine->done, 3);
    status = svs_snapshot_freeze(mine->snapshot, &mine->done);
    if (later(status)) return status;
    SVS_AWAIT(ranks, me, &mine->done, 4);
    status = svs_fiber_new(ranks, mutate, &mine, sizeof mine, NULL, &fiber);
    if (status == SVS_OK) status = svs_fiber_enable(ranks, fiber);
    if (status == SVS_OK) status = svs_fiber_continue(ranks, work, &fiber);
    if (status != SVS_OK) return status;
    me->thread.line = UINT32_MAX; /* after the mutation's first try */
    return svs_fiber_enable(ranks, fiber);
case UINT32_MAX:
    CHECK(mine, mine->begun == 0);
    return later(svs_snapshot_unfreeze(mine->snapshot, &mine->done));
    SVS_THREAD_END;
}

static svs_status start(svs_ranks *ranks, void *state) {
    step me = {{0}, state};
    svs_fiber fiber;
    svs_status status;
    status = svs_fiber_new(ranks, work, &me, sizeof me, NULL, &fiber);
    return status ? status : svs_fiber_enable(ranks, fiber);
}

static svs_status attach_two(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = attach(ranks, &mine->first);
    return status == SVS_OK ? attach(ranks, &mine->second) : status;
}

static void small_buffers(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->aggregate_bytes = seed % 3 * 128;
    options->credits = 1 + seed % 2;
}

static uint64_t sum_of(const uint64_t *counts, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += counts[i];
    return sum;
}

#define SAME(name, one, other)                                                                     \
    if ((one) != (other)) return name

static const char *compare(const characteristic *of, const svs_ranks_statistics *counted) {
    SAME("threads", of->threads, counted->thread_alloc);
    SAME("fibers", of->fibers, counted->thread_disp);
    SAME("enabled", of->enabled, counted->thread_enable);
    SAME("ends", of->ended, of->fibers);
    SAME("fibers that go on are enabled again", of->ended - of->continued, of->threads);
    SAME("nested", of->depth, 0);
    SAME("stacks", of->with_stack, 1);
    SAME("records", of->records, counted->records_run);
    SAME("handlers that have not ended", of->handler_runs, 0);
    SAME("runs", of->in_place_runs, counted->runs_in_place);
    SAME("waits", of->waits[SVS_WAIT_COUNTER] + of->waits[SVS_WAIT_UNFREEZE],
         counted->waits_counter);
    SAME("unfreeze", of->waits[SVS_WAIT_UNFREEZE], 1);
    SAME("full", of->sent[SVS_PACKET_FULL], counted->flushes_full);
    SAME("idle", of->sent[SVS_PACKET_IDLE], counted->flushes_idle);
    SAME("age", of->sent[SVS_PACKET_AGE], counted->flushes_age);
    SAME("asked", of->sent[SVS_PACKET_ASKED], counted->flushes_asked);
    SAME("packets", sum_of(of->sent, SVS_PACKET_CONTROL), counted->msg_sent);
    SAME("sent records", of->sent_records, counted->remote_op + counted->relayed);
    SAME("idle ends", of->idle_begins, of->idle_ends);
    SAME("operations", of->operations[0], of->operations[1]);
    SAME("runs and other calls", of->agreed[0], of->agreed[1]);
    if (of->operations[0] < 4) return "two objects, a barrier, and the reductions of a freeze";
    for (uint32_t i = 0; i < 3; i++) SAME("snapshot", of->snapshots[i], 1);
    SAME("times", sum_of(of->fiber_times, BUCKETS), of->fibers);
    SAME("sizes", sum_of(of->record_sizes, BUCKETS), of->records);
    return program_wrong_line(of->wrong, 0);
}

/* The numbers of a characteristic are read back. */
static const char *read_back(const characteristic *of) {
    static char text[LINES];
    FILE *to = fmemopen(text, sizeof text, "w");
    unsigned long threads = 0, fibers = 0;
    if (to == NULL) return "no stream";
    print(to, of);
    if (fclose(to) != 0 || sscanf(text, "threads %lu\nfibers %lu", &threads, &fibers) != 2)
        return "no characteristic was written";
    if (strstr(text, "record_bytes 8 ") == NULL) return "records of 8 bytes were posted";
    return threads == of->threads && fibers == of->fibers ? NULL : "other numbers were written";
}

static const char *check(program_run *run) {
    uint64_t sent_records = 0, received_records = 0;
    for (uint32_t i = 0; i < RANKS; i++) {
        own *mine = program_data(run, i);
        const char *why = compare(&mine->first, &run->result[i].statistics);
        if (why == NULL) why = read_back(&mine->first);
        if (why == NULL) why = program_wrong_line(mine->wrong, i);
        if (why != NULL) return why;
        if (mine->begun != 1) return "the mutation has not begun after the unfreeze";
        sent_records += mine->first.sent_records;
        received_records += mine->first.received_records;
        mine->first.observer = mine->second.observer;
        mine->first.fiber_ns = mine->second.fiber_ns;
        memcpy(mine->first.fiber_times, mine->second.fiber_times, sizeof mine->first.fiber_times);
        memcpy(mine->first.begun_at, mine->second.begun_at, sizeof mine->first.begun_at);
        if (memcmp(&mine->first, &mine->second, sizeof mine->first) != 0)
            return "two observers were told different things";
    }
    return sent_records == received_records ? NULL : "records were sent, and not received";
}

PROGRAM(observed, .ranks = RANKS, .bytes = sizeof(own), PROGRAM_HANDLERS(handlers),
        .options = small_buffers, .prepare = attach_two, .start = start, .check = check);

TEST_CASE(a_characteristic_agrees_with_the_statistics) {
    program_sim(&observed, 1000);
    program_local(&observed, 10);
}

TEST_CASE(observers_release_their_memory_when_none_is_left) { program_exhaust(&observed, 7); }

/* ---- categories ---- */

enum { CALM = 3, BUSY = 5, ROUNDS = 40 };

typedef struct sorted {
    svs_ranks_observer observer;
    uint32_t changes, records, in_fibers, seen_enabler;
    svs_fiber woken;
    svs_counter turn;
    int wrong;
} sorted;

/* A record says which category has posted it. */
typedef struct labelled {
    uint64_t category;
} labelled;

static void take_labelled(svs_ranks *ranks, void *part, const labelled *records, uint32_t count);
static svs_status take_labelled_one(svs_ranks *ranks, void *state);
SVS_HANDLER_IN_PLACE(sort, labelled, take_labelled)
SVS_HANDLER(sort_later, labelled, take_labelled_one, SVS_DISPATCH_FIFO)
static const svs_handler *const sorters[] = {&sort, &sort_later};

/* Those of one call have one category, which is that of the handler, and returns after it. */
static void take_labelled(svs_ranks *ranks, void *part, const labelled *records, uint32_t count) {
    sorted *mine = part;
    for (uint32_t i = 0; i < count; i++) CHECK(mine, records[i].category == svs_category(ranks));
    mine->records += count;
    svs_category_set(ranks, 77);
    CHECK(mine, svs_category(ranks) == 77);
}

static svs_status take_labelled_one(svs_ranks *ranks, void *state) {
    sorted *mine = svs_ranks_data(ranks);
    const labelled *record = state;
    svs_fiber rest;
    CHECK(mine, svs_category(ranks) == record->category);
    mine->in_fibers++;
    if (record->category != BUSY) return SVS_OK;
    svs_category_set(ranks, CALM); /* its continuation keeps it */
    ((labelled *)state)->category = CALM;
    if (svs_fiber_continue(ranks, take_labelled_one, &rest)) return SVS_E_STATE;
    mine->in_fibers--;
    return svs_fiber_enable(ranks, rest);
}

static void see_enabled(const svs_observed_fiber *fiber, svs_fiber by, void *argument) {
    sorted *mine = argument;
    svs_fiber_facts facts;
    svs_observed_fiber_get(fiber, &facts);
    if (facts.fiber.slot != mine->woken.slot || facts.fiber.generation != mine->woken.generation)
        return;
    mine->seen_enabler++;
    CHECK(mine, facts.category == CALM && facts.enabler == BUSY && by.slot != SVS_NO_FIBER);
}

static void see_change(uint16_t before, uint16_t now, void *argument) {
    sorted *mine = argument;
    CHECK(mine, before != now);
    mine->changes++;
}

static svs_status plain(svs_ranks *ranks, void *state) {
    sorted *mine = svs_ranks_data(ranks);
    CHECK(mine, svs_category(ranks) == 0);
    return SVS_OK;
}

static svs_status woken(svs_ranks *ranks, void *state) {
    sorted *mine = svs_ranks_data(ranks);
    CHECK(mine, svs_category(ranks) == CALM); /* what it was created with */
    return SVS_OK;
}

static svs_status post_labelled(svs_ranks *ranks, uint32_t i) {
    const labelled record = {svs_category(ranks)};
    uint32_t to = i % svs_ranks_count(ranks);
    return i % 2 == 0 ? sort_post(ranks, to, &record) : sort_later_post(ranks, to, &record);
}

static svs_status label(svs_ranks *ranks, void *state) {
    sorted *mine = svs_ranks_data(ranks);
    svs_status status;
    svs_fiber other;
    if (svs_fiber_new(ranks, plain, NULL, 0, NULL, &other)) return SVS_E_NO_MEMORY;
    if (svs_fiber_enable(ranks, other)) return SVS_E_STATE;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        svs_category_set(ranks, i / 3 % 2 == 0 ? BUSY : CALM);
        status = post_labelled(ranks, i);
        CHECK(mine, svs_category(ranks) == (i / 3 % 2 == 0 ? BUSY : CALM));
        if (status != SVS_OK) return status;
    }
    svs_category_set(ranks, CALM);
    if (svs_fiber_new(ranks, woken, NULL, 0, NULL, &mine->woken)) return SVS_E_NO_MEMORY;
    if (svs_fiber_new(ranks, woken, NULL, 0, svs_scheduler_in_place(ranks), &other))
        return SVS_E_NO_MEMORY;
    svs_category_set(ranks, BUSY);
    if (svs_fiber_enable(ranks, other)) return SVS_E_STATE;
    CHECK(mine, svs_category(ranks) == BUSY); /* it has run in place */
    return svs_fiber_enable(ranks, mine->woken);
}

static svs_status attach_sorted(svs_ranks *ranks) {
    sorted *mine = svs_ranks_data(ranks);
    svs_category_set(ranks, BUSY); /* no fiber, and no observer: nothing */
    if (svs_category(ranks) != 0) return SVS_E_STATE;
    svs_ranks_observer_init(&mine->observer);
    mine->observer.fiber_enabled = see_enabled;
    mine->observer.category_changed = see_change;
    mine->observer.argument = mine;
    return svs_ranks_observer_attach(ranks, &mine->observer);
}

/* Over a grid, too. */
static void wide(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->aggregate_bytes = 4096;
    options->direct_ranks = seed % 2 == 0 ? 64 : 1;
    options->flush_ns = seed % 3 == 0 ? 1000 : 100000;
}

static const char *check_sorted(program_run *run) {
    uint32_t records = 0, in_fibers = 0;
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const sorted *mine = program_data(run, i);
        const char *why = program_wrong_line(mine->wrong, i);
        if (why != NULL) return why;
        if (mine->seen_enabler != 1) return "the fiber was not seen when it was enabled";
        if (mine->changes == 0) return "no change of a category was seen";
        records += mine->records;
        in_fibers += mine->in_fibers;
    }
    if (records != run->program->ranks * ROUNDS / 2) return "records in place";
    return in_fibers == run->program->ranks * ROUNDS / 2 ? NULL : "records as fibers";
}

PROGRAM(categories, .ranks = 4, .bytes = sizeof(sorted), PROGRAM_HANDLERS(sorters), .options = wide,
        .prepare = attach_sorted, .start = label, .check = check_sorted);

TEST_CASE(categories_follow_fibers_and_records_and_do_not_leak) {
    program_sim(&categories, 1000);
    program_local(&categories, 10);
}

/* Detached, nothing is told, and no category is kept. */
static svs_status unlabelled(svs_ranks *ranks, void *state) {
    sorted *mine = svs_ranks_data(ranks);
    svs_category_set(ranks, BUSY);
    CHECK(mine, svs_category(ranks) == 0);
    return post_labelled(ranks, 1); /* it runs with category 0 */
}

static svs_status attach_and_detach(svs_ranks *ranks) {
    sorted *mine = svs_ranks_data(ranks);
    svs_status status = attach_sorted(ranks);
    CHECK(mine, svs_ranks_observer_attach(ranks, &mine->observer) == SVS_E_INVALID);
    return status ? status : svs_ranks_observer_detach(ranks, &mine->observer);
}

static const char *check_unlabelled(program_run *run) {
    for (uint32_t i = 0; i < RANKS; i++) {
        const sorted *mine = program_data(run, i);
        if (mine->wrong != 0 || mine->changes != 0 || mine->seen_enabler != 0)
            return "a detached observer was told";
    }
    return NULL;
}

PROGRAM(detached, .ranks = RANKS, .bytes = sizeof(sorted), PROGRAM_HANDLERS(sorters),
        .prepare = attach_and_detach, .start = unlabelled, .check = check_unlabelled);

TEST_CASE(a_detached_observer_is_told_nothing) { program_sim(&detached, 100); }

/* A rank whose observers have no function is not observed: no category is kept. */
static svs_status attach_without_functions(svs_ranks *ranks) {
    sorted *mine = svs_ranks_data(ranks);
    svs_ranks_observer_init(&mine->observer);
    mine->observer.argument = mine;
    return svs_ranks_observer_attach(ranks, &mine->observer);
}

PROGRAM(without_functions, .ranks = RANKS, .bytes = sizeof(sorted), PROGRAM_HANDLERS(sorters),
        .prepare = attach_without_functions, .start = unlabelled, .check = check_unlabelled);

TEST_CASE(a_table_without_functions_observes_nothing) { program_sim(&without_functions, 100); }

/* ---- two observers with different functions ---- */

typedef struct pair {
    svs_ranks_observer creations, begins;
    uint32_t created, begun;
} pair;

static void count_created(const svs_observed_fiber *fiber, void *argument) {
    ((pair *)argument)->created++;
}

static void count_begun(const svs_observed_fiber *fiber, void *argument) {
    ((pair *)argument)->begun++;
}

static svs_status attach_pair(svs_ranks *ranks) {
    pair *mine = svs_ranks_data(ranks);
    svs_status status;
    svs_ranks_observer_init(&mine->creations);
    mine->creations.fiber_created = count_created;
    mine->creations.argument = mine;
    svs_ranks_observer_init(&mine->begins);
    mine->begins.fiber_begins = count_begun;
    mine->begins.argument = mine;
    status = svs_ranks_observer_attach(ranks, &mine->creations);
    return status ? status : svs_ranks_observer_attach(ranks, &mine->begins);
}

static svs_status detach_creations(svs_ranks *ranks) {
    pair *mine = svs_ranks_data(ranks);
    return svs_ranks_observer_detach(ranks, &mine->creations);
}

/* Creations of the first run, and executions of both: each run has one fiber. */
static const char *check_pair(program_run *run) {
    for (uint32_t i = 0; i < RANKS; i++) {
        const pair *mine = program_data(run, i);
        if (mine->created != 1)
            return "an observer was not told of a creation, or after it was detached";
        if (mine->begun != 2) return "an observer was not told of a fiber that begins";
    }
    return NULL;
}

static svs_status do_nothing(svs_ranks *ranks, void *state) { return SVS_OK; }

PROGRAM(different, .ranks = RANKS, .bytes = sizeof(pair), .prepare = attach_pair,
        .start = do_nothing, .rounds = 2, .between = detach_creations, .check = check_pair);

TEST_CASE(each_observer_is_told_what_it_has_functions_for) { program_sim(&different, 20); }

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
