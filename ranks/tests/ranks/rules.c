/* The rules of the buffers: each flush rule alone (ranks.B1), no allocation for small records
 * (ranks.B5), what posts refuse, the parser of records (ranks.P3), and the paths of the grid. */
#include "base/platform.h"
#include "base/random.h"
#include "ranks/channel/handler.h"
#include "ranks/channel/record.h"
#include "ranks/channel/route.h"
#include "ranks/channel/send.h"
#include "ranks/program.h"
#include <string.h>

/* ---- one record and its reply: rank 0 is busy in some way until the reply has come ---- */

typedef struct own {
    int wrong;
    bool arrived, replied, inside;
    uint32_t rounds;
    uint64_t sum, at_warm_up;
    uint32_t warm_at; /* the record after which nothing is allocated; 0: not known yet */
} own;

static void replied(svs_ranks *ranks, void *part, const uint64_t *records, uint32_t count) {
    own *mine = part;
    mine->replied = true;
}

SVS_HANDLER_IN_PLACE(reply, uint64_t, replied)

static void asked(svs_ranks *ranks, void *part, const uint64_t *records, uint32_t count) {
    own *mine = part;
    CHECK(mine, !mine->inside);
    for (uint32_t i = 0; i < count && !mine->arrived; i++) {
        mine->arrived = true;
        CHECK(mine, reply_post(ranks, 0, &records[i]) == SVS_OK);
    }
    svs_flush(ranks, 0);
}

SVS_HANDLER_IN_PLACE(ask, uint64_t, asked)

static const svs_handler variable = {"variable", SVS_DISPATCH_IN_PLACE, 0, NULL, NULL};
static const svs_handler unknown = {"unknown", SVS_DISPATCH_FIFO, 4, NULL, NULL};
static const svs_handler *const handlers[] = {&ask, &reply};

/* Asks rank 1, and continues until the reply has come. */
static svs_status busy(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint64_t record = 1;
    svs_fiber again;
    if (svs_ranks_index(ranks) != 0 || mine->replied) return SVS_OK;
    if (mine->rounds++ == 0 && ask_post(ranks, 1, &record)) return 1;
    if (svs_fiber_continue(ranks, busy, &again)) return 1;
    return svs_fiber_enable(ranks, again);
}

static svs_status idle(svs_ranks *ranks, void *state) {
    uint64_t record = 1;
    return svs_ranks_index(ranks) == 0 ? ask_post(ranks, 1, &record) : SVS_OK;
}

/* Both in one long fiber, which nothing interrupts but its polls. */
static svs_status ask_for(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    uint64_t record = 1;
    if (svs_ranks_index(ranks) != 0) return SVS_OK;
    mine->inside = true;
    if (ask_post(ranks, 1, &record)) return 1;
    return SVS_OK;
}

static svs_status on_request(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    if (ask_for(ranks)) return 1;
    svs_flush(ranks, SVS_ALL_RANKS);
    while (mine->inside && !mine->replied) svs_poll(ranks);
    mine->inside = false;
    return SVS_OK;
}

static svs_status by_polls(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    if (ask_for(ranks)) return 1;
    while (mine->inside && !mine->replied) svs_poll(ranks);
    mine->inside = false;
    return SVS_OK;
}

/* A full buffer, and what is left is sent when rank 0 is idle. */
static svs_status full(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    if (ask_for(ranks)) return 1;
    for (uint64_t i = 0; mine->inside && i < 50; i++)
        if (ask_post(ranks, 1, &i)) return 1;
    while (mine->inside && !mine->replied) svs_poll(ranks);
    mine->inside = false;
    return SVS_OK;
}

static void no_rule(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->flush_fibers = UINT32_MAX;
    options->flush_ns = UINT64_MAX;
    options->aggregate_bytes = 300;
}

static void rule_fibers(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    no_rule(options, rank, seed);
    options->flush_fibers = 10;
}

static void rule_age(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    no_rule(options, rank, seed);
    options->flush_ns = 7;
}

/* Which flushes rank 0 has counted. */
static const char *check_rule(program_run *run, bool asked_, bool fibers, bool age, bool is_full) {
    const svs_ranks_statistics *counts = &run->result[0].statistics;
    const own *mine = program_data(run, 0);
    if (!mine->replied || mine->wrong != 0) return "the reply has not come";
    if (is_full) return counts->flushes_full != 0 ? NULL : "the full buffer was not sent as one";
    if ((counts->flushes_asked != 0) != asked_ || (counts->flushes_fibers != 0) != fibers ||
        (counts->flushes_age != 0) != age || counts->flushes_full != 0 ||
        (counts->flushes_idle != 0) != (!asked_ && !fibers && !age))
        return "another rule has sent the buffer";
    return NULL;
}

static const char *check_idle(program_run *run) {
    return check_rule(run, false, false, false, false);
}
static const char *check_asked(program_run *run) {
    return check_rule(run, true, false, false, false);
}
static const char *check_fibers(program_run *run) {
    return check_rule(run, false, true, false, false);
}
static const char *check_age(program_run *run) {
    return check_rule(run, false, false, true, false);
}
static const char *check_full(program_run *run) {
    return check_rule(run, false, false, false, true);
}

#define RULE(name_, options_, start_, check_)                                                      \
    PROGRAM(name_, .ranks = 2, .bytes = sizeof(own), PROGRAM_HANDLERS(handlers),                   \
            .options = options_, .start = start_, .check = check_)
RULE(rule_1_idle, no_rule, idle, check_idle);
RULE(rule_2_asked, no_rule, on_request, check_asked);
RULE(rule_3_fibers, rule_fibers, busy, check_fibers);
RULE(rule_4_age, rule_age, busy, check_age);
RULE(rule_5_age_in_polls, rule_age, by_polls, check_age);
RULE(rule_6_full, no_rule, full, check_full);

TEST_CASE(each_rule_alone_sends_a_buffer) {
    static const rank_program *const rules[] = {&rule_1_idle, &rule_2_asked,        &rule_3_fibers,
                                                &rule_4_age,  &rule_5_age_in_polls, &rule_6_full};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        program_sim(rules[i], 1000);
        program_local(rules[i], 10);
    }
}

/* ---- no allocation after warm-up (ranks.B5) ---- */

static _Atomic(uint64_t) allocations;
/* The warm-up: until the queues are full all records are fibers, and none of them ends. The
 * receiver takes none before the sender, which has no credit then, is idle: so all buffers of the
 * credits, the one after them, and that of a wave exist at the same time. Then the receiver takes
 * all of them while the fibers run for some more times. So the queues are as long as the credits
 * let them grow, wherever the system runs the ranks. */
enum { BEGIN, RECEIVER_WAITS, SENDER_HAS_NO_CREDIT, SENDER_IS_IDLE, QUEUES_ARE_FULL };
static _Atomic(int) stage;

enum { SOME_MORE = 1 << 16 };

static void *count_allocation(size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)atomic_fetch_add(&allocations, 1);
    return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

static void release(void *memory, size_t size, size_t alignment, uint32_t worker, void *argument) {
    free(memory);
}

static void add_run(svs_ranks *ranks, void *part, const uint64_t *records, uint32_t count) {
    own *mine = part;
    for (uint32_t i = 0; i < count; i++) mine->sum += records[i];
}

static svs_status add_one(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_fiber again;
    svs_status status;
    if (atomic_load(&stage) == QUEUES_ARE_FULL) {
        mine->sum += *(uint64_t *)state;
        return SVS_OK;
    }
    if (++mine->rounds == SOME_MORE) atomic_store(&stage, QUEUES_ARE_FULL);
    status = svs_fiber_continue(ranks, add_one, &again);
    return status ? status : svs_fiber_enable(ranks, again);
}

SVS_HANDLER_IN_PLACE(add, uint64_t, add_run)
SVS_HANDLER(add_fiber, uint64_t, add_one, SVS_DISPATCH_FIFO)
static const svs_handler *const adds[] = {&add, &add_fiber};

typedef struct counted {
    own ranks[2];
    size_t bytes;              /* of a buffer */
    uint32_t warm_up, records; /* records between full queues and the count, and during it */
} counted;

static bool ends(const own *mine, const counted *run) {
    return mine->warm_at != 0 && mine->rounds == mine->warm_at + run->records;
}

static svs_status send_all(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    const counted *run = *(counted **)state;
    for (; !ends(mine, run); mine->rounds++) {
        uint64_t one = 1;
        svs_fiber next;
        bool is_fiber = mine->rounds % 8 == 7 || atomic_load(&stage) != QUEUES_ARE_FULL;
        svs_status status = is_fiber ? add_fiber_post(ranks, 1, &one) : add_post(ranks, 1, &one);
        if (mine->warm_at == 0 && !is_fiber) mine->warm_at = mine->rounds + run->warm_up;
        if (mine->warm_at == mine->rounds) mine->at_warm_up = atomic_load(&allocations);
        if (status == SVS_OK) continue;
        if (atomic_load(&stage) == RECEIVER_WAITS) atomic_store(&stage, SENDER_HAS_NO_CREDIT);
        if (status != SVS_WAIT) return status;
        status = svs_fiber_continue(ranks, send_all, &next);
        return status ? status : svs_post_ready(ranks, 1, next);
    }
    CHECK(mine, atomic_load(&allocations) == mine->at_warm_up);
    return SVS_OK;
}

static svs_status wait_for_idle_sender(void) {
    atomic_store(&stage, RECEIVER_WAITS);
    while (atomic_load(&stage) < SENDER_IS_IDLE) svs__yield();
    return SVS_OK;
}

static svs_status send_from_0(svs_ranks *ranks, void *state) {
    svs_fiber fiber;
    if (svs_ranks_index(ranks) != 0) return wait_for_idle_sender();
    while (atomic_load(&stage) == BEGIN) svs__yield();
    if (svs_fiber_new(ranks, send_all, &state, sizeof(counted *), NULL, &fiber)) return 1;
    return svs_fiber_enable(ranks, fiber);
}

static const svs__transport_type *local; /* the type of the sender's transport, but for `idle` */

static uint64_t tell_and_idle(void *endpoint, uint64_t until, uint64_t spin_ns) {
    if (atomic_load(&stage) == SENDER_HAS_NO_CREDIT) atomic_store(&stage, SENDER_IS_IDLE);
    return local->idle(endpoint, until, spin_ns);
}

static int count_program(const svs_transport *transport, void *argument) {
    counted *run = argument;
    svs__transport_type type = *transport->type;
    svs_transport telling = {&type, transport->endpoint, transport->rank, transport->count};
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_status status;
    type.idle = tell_and_idle;
    if (transport->rank == 0) local = transport->type;
    svs_ranks_options_init(&options);
    options.transport = transport->rank == 0 ? &telling : transport;
    options.aggregate_bytes = run->bytes;
    options.allocator = (svs_allocator){count_allocation, release, NULL};
    if (svs_ranks_new(&options, &ranks)) return 1;
    svs_ranks_set_data(ranks, &run->ranks[transport->rank]);
    status = svs_handlers_add(ranks, adds, 2);
    if (status == SVS_OK) status = svs_ranks_run(ranks, send_from_0, run);
    return svs_ranks_free(ranks) || status;
}

static void count_allocations(size_t bytes, uint32_t records, uint32_t warm_up) {
    counted run = {
        .bytes = bytes, .warm_up = warm_up, .records = (uint32_t)program_scaled(records)};
    atomic_store(&stage, BEGIN);
    assert_int_equal(svs__local_run(2, count_program, &run), 0);
    assert_int_equal(run.ranks[0].wrong, 0);
    assert_int_equal(run.ranks[1].sum, run.ranks[0].rounds);
}

TEST_CASE(small_records_cause_no_allocation) { /* ranks.B5 */
    count_allocations(16384, 10000000, 200000);
}

/* Buffers of the first size were kept with those of the ending, and never taken again: hundreds
 * were made after the warm-up. */
TEST_CASE(buffers_of_any_size_are_used_again) { /* ranks.B5 */
    count_allocations(sizeof(svs__packet) + sizeof(svs__end), 10000, 2000);
    count_allocations(sizeof(svs__packet), 10000, 2000);
    count_allocations(0, 5000, 1000);
}

/* ---- buffers that the transport gives back ---- */

static svs__buffer *complete(void *endpoint) {
    svs__buffer **sent = endpoint, *buffer = *sent;
    *sent = NULL;
    return buffer;
}

static void *refuse_memory(size_t size, size_t alignment, uint32_t worker, void *argument) {
    return NULL;
}

TEST_CASE(a_completed_buffer_is_taken_before_a_new_one_is_made) { /* ranks.B5 */
    svs__transport_type type = {.completed = complete};
    svs__buffer *sent = svs__buffer_new(&svs__allocator_libc, 1000), *buffer = sent;
    svs_ranks ranks = {.type = &type, .endpoint = &sent, .capacity = 1000, .lent = 1};
    ranks.options.allocator = (svs_allocator){refuse_memory, release, NULL};
    sent->home = &ranks.pool;
    assert_ptr_equal(svs__buffer_take(&ranks, 500), buffer);
    assert_int_equal(ranks.lent, 0);
    assert_null(svs__buffer_take(&ranks, 500));
    svs__buffer_free(&svs__allocator_libc, buffer);
}

/* ---- what posts refuse ---- */

static svs_status post_wrongly(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint64_t record = 1;
    svs_fiber fiber = {77, 1};
    CHECK(mine, svs_post(ranks, 2, &ask, &record, sizeof record) == SVS_E_INVALID);
    CHECK(mine, svs_post(ranks, 1, &unknown, &record, 4) == SVS_E_INVALID);
    CHECK(mine, svs_post(ranks, 1, &ask, &record, 4) == SVS_E_INVALID);
    CHECK(mine, svs_post(ranks, 1, NULL, &record, sizeof record) == SVS_E_NULL);
    CHECK(mine, svs_post(ranks, 1, &ask, NULL, sizeof record) == SVS_E_NULL);
    CHECK(mine, svs_post_ready(ranks, 2, fiber) == SVS_E_INVALID);
    CHECK(mine, svs_post_ready(ranks, 1, fiber) == SVS_E_FIBER);
    mine->replied = true;
    return SVS_OK;
}

static svs_status add_wrongly(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    uint64_t record = 1;
    CHECK(mine, svs_post(ranks, 1, &ask, &record, sizeof record) == SVS_E_OUTSIDE);
    CHECK(mine, svs_ranks_stop(ranks, 3) == SVS_E_OUTSIDE);
    CHECK(mine,
          svs_handler_schedule(ranks, &ask, svs_scheduler_fifo(ranks), NULL) == SVS_E_INVALID);
    return SVS_OK;
}

static svs_status add_invalid(svs_ranks *ranks) {
    static const svs_handler *const wrong[] = {&variable};
    return svs_ranks_index(ranks) == 1 ? svs_handlers_add(ranks, wrong, 1)
                                       : svs_handlers_add(ranks, handlers, 2);
}

static const char *check_refused(program_run *run) {
    for (uint32_t i = 0; i < 2; i++)
        if (((own *)program_data(run, i))->wrong != 0)
            return "a wrong call was not refused as it should";
    return NULL;
}

PROGRAM(refused, .ranks = 2, .bytes = sizeof(own), PROGRAM_HANDLERS(handlers),
        .prepare = add_wrongly, .start = post_wrongly, .check = check_refused);

TEST_CASE(wrong_posts_are_refused) {
    svs__sim_options options = {.seed = 1};
    rank_program invalid = refused;
    const char *wrong;
    program_sim(&refused, 10);
    invalid.handler_count = 0;
    invalid.prepare = add_invalid;
    wrong = program_once(&invalid, &options);
    assert_non_null(strstr(wrong, "its handlers were refused there"));
    assert_non_null(strstr(wrong, "SVS_E_INVALID"));
}

/* ---- the parser against random and modified packets (ranks.P3) ---- */

static uint32_t write_packet(svs__random *random, unsigned char *packet, uint32_t room) {
    uint32_t at = sizeof(svs__packet);
    while (svs__random_below(random, 8) != 0) {
        uint32_t handler = svs__random_below(random, 2),
                 count = svs__random_below(random, 5) + handler;
        svs__record_run run = {.count = count, .handler = (uint16_t)handler, .to = 1, .from = 0};
        bool mixed = handler == 1 && count % 2 == 0; /* with a target for each record */
        uint32_t bytes = sizeof run + (handler == 0 ? count : (mixed ? 10 : 8) * count);
        if (mixed) run.to = SVS__MIXED;
        if (at + bytes > room - 8) break;
        memcpy(packet + at, &run, sizeof run);
        at = svs__aligned(at + bytes);
    }
    return at;
}

TEST_CASE(the_parser_stays_within_the_packet) { /* ranks.P3 */
    svs__handler_entry entries[2] = {{.handler = &variable}, {.handler = &ask}};
    svs__handlers table = {.entries = entries, .count = 2};
    svs__random random;
    uint64_t whole = 0, malformed = 0;
    svs__random_seed(&random, 5);
    for (uint64_t i = 0; i < program_scaled(300000); i++) {
        unsigned char *packet = calloc(1, 400);
        uint32_t bytes = write_packet(&random, packet, 400), at = sizeof(svs__packet);
        bool flipped = i % 2 == 0;
        svs__run_view view = {0};
        if (flipped)
            packet[svs__random_below(&random, bytes)] ^=
                (unsigned char)(1u << svs__random_below(&random, 8));
        if (i % 3 == 0) bytes -= svs__random_below(&random, bytes - at + 1);
        while (at < bytes) {
            const char *why = svs__run_read(&table, 2, packet, bytes, at, &view);
            assert_true(why == NULL || flipped || i % 3 == 0);
            if (why != NULL) break;
            assert_true(view.records >= packet + at && view.from < 2);
            assert_true(view.to < 2 || (view.to == SVS__MIXED && view.handler == 1));
            assert_true(view.records + (size_t)view.count * view.bytes +
                            (view.to == SVS__MIXED ? view.count * SVS__TARGET_BYTES : 0) <=
                        packet + bytes);
            assert_true(view.next > at && view.next <= bytes);
            at = view.next;
        }
        if (at < bytes) malformed++;
        else whole++;
        free(packet);
    }
    assert_true(whole > 10 && malformed > 10);
}

/* ---- paths of the grid ---- */

TEST_CASE(each_pair_has_one_path_of_two_hops) {
    for (uint32_t count = 1; count <= 150; count++) {
        svs_ranks ranks = {.count = count, .columns = svs__grid_columns(count, 4)};
        for (ranks.index = 0; ranks.index < count; ranks.index++)
            for (uint32_t to = 0, from = ranks.index; to < count; to++) {
                uint32_t via;
                if (to == from) continue;
                via = svs__hop(&ranks, to);
                assert_true(via < count && via != from);
                ranks.index = via;
                if (via != to)
                    assert_int_equal(svs__hop(&ranks, to), to); /* its second hop is the last */
                ranks.index = from;
            }
    }
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
