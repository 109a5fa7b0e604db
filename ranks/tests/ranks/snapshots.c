/* Snapshots: transfers between the parts of all ranks, with nested ones, keep their sum (ranks.Z2);
 * while frozen, no part changes (ranks.Z1); two snapshots at the same time (ranks.Z3). */
#include "base/random.h"
#include "ranks/program.h"

enum { BOOKS = 2, TRANSFERS = 30, CYCLES = 4, START = 1000 };

/* One snapshot, and what it protects. */
typedef struct book {
    svs_snapshot *snapshot;
    svs_distributed *sums;
    int64_t balance;
    uint32_t transfers, waited, frozen;
    bool audited;
    svs_counter ready;
} book;

typedef struct own {
    uint64_t seed;
    int wrong;
    svs__random random;
    book books[BOOKS];
} own;

typedef struct transfer {
    uint32_t book, epoch;
    int32_t amount, hops;
} transfer;

static uint32_t any_rank(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    return svs__random_below(&mine->random, svs_ranks_count(ranks));
}

static void take_transfers(svs_ranks *ranks, void *part, const transfer *transfers, uint32_t count);
SVS_HANDLER_IN_PLACE(move, transfer, take_transfers)
static const svs_handler *const handlers[] = {&move};

/* Passes an amount on as a nested mutation. */
static void nest(svs_ranks *ranks, transfer next, int32_t amount) {
    own *mine = svs_ranks_data(ranks);
    next.amount = amount;
    svs_mutation_nested(mine->books[next.book].snapshot, 1, next.epoch);
    CHECK(mine, move_post(ranks, any_rank(ranks), &next) == SVS_OK);
}

/* Keeps a part, and passes the rest on in two. */
static void take_transfers(svs_ranks *ranks, void *part, const transfer *transfers,
                           uint32_t count) {
    own *mine = part;
    for (uint32_t i = 0; i < count; i++) {
        transfer rest = transfers[i];
        book *one = &mine->books[rest.book];
        one->balance += rest.amount - rest.amount / 2;
        CHECK(mine, one->frozen == 0); /* ranks.Z1 */
        rest.amount /= 2;
        if (rest.hops-- > 0) {
            nest(ranks, rest, rest.amount / 2);
            nest(ranks, rest, rest.amount - rest.amount / 2);
        } else {
            one->balance += rest.amount;
        }
        svs_mutation_end(one->snapshot, 1, rest.epoch);
    }
}

/* Makes transfers, one after the other: its state is the number of the book. */
static svs_status make_transfers(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint32_t number = *(uint32_t *)state;
    book *one = &mine->books[number];
    transfer next = {.book = number, .amount = 1 + (int32_t)svs__random_below(&mine->random, 50)};
    uint32_t to = any_rank(ranks);
    svs_fiber retry;
    svs_status status;
    if (one->transfers == TRANSFERS) return SVS_OK;
    if (svs_fiber_continue(ranks, make_transfers, &retry)) return 1;
    status = svs_mutation_begin(one->snapshot, 1, &next.epoch);
    one->waited += status == SVS_WAIT;
    if (status == SVS_WAIT) return svs_mutation_ready(one->snapshot, retry);
    if (status != SVS_OK) return status;
    next.hops = (int32_t)svs__random_below(&mine->random, 3);
    one->balance -= next.amount;
    status = move_post(ranks, to, &next);
    if (status == SVS_OK) one->transfers++;
    else { /* it has not happened */ one->balance += next.amount;
        svs_mutation_end(one->snapshot, 1, next.epoch);
    }
    if (status != SVS_OK && status != SVS_WAIT) return status;
    return svs_post_ready(ranks, to, retry);
}

static void add(void *into, const void *from, size_t count) {
    *(int64_t *)into += *(const int64_t *)from;
}

static svs_status look(svs_ranks *ranks, book *one, svs_counter *done) {
    own *mine = svs_ranks_data(ranks);
    int64_t before = one->balance, sum = 0;
    svs_status status;
    one->frozen = 1;
    status = svs_reduce(one->sums, add, &one->balance, &sum, sizeof sum, 1, done);
    if (status == SVS_WAIT) status = svs_await(ranks, done, done->value + 1);
    CHECK(mine, status || sum == (int64_t)START * svs_ranks_count(ranks)); /* ranks.Z2 */
    CHECK(mine, status || before == one->balance);                         /* ranks.Z1 */
    one->frozen = 0;
    return status;
}

/* Looks at the book again and again, and synchronizes now and then. */
static svs_status audit(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    book *one = &mine->books[*(uint32_t *)state];
    svs_counter done, sums;
    svs_status status = svs_await(ranks, &one->ready, 2);
    svs_counter_init(&done, 0);
    svs_counter_init(&sums, 0);
    for (int i = 0; i < CYCLES && status == SVS_OK; i++) {
        status = svs_snapshot_freeze(one->snapshot, &done);
        if (status == SVS_WAIT) status = svs_await(ranks, &done, done.value + 1);
        if (status == SVS_OK) status = look(ranks, one, &sums);
        if (status == SVS_OK) status = svs_snapshot_unfreeze(one->snapshot, &done);
        if (status == SVS_WAIT) status = svs_await(ranks, &done, done.value + 1);
        if (status != SVS_OK) return status;
        status = svs_snapshot_sync(one->snapshot, &done);
        if (status == SVS_WAIT) status = svs_await(ranks, &done, done.value + 1);
    }
    one->audited = true;
    return status;
}

/* Keeps the rank busy until all is audited: nothing is sent because the rank is idle. */
static svs_status be_busy(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_fiber again;
    if (mine->books[0].audited && mine->books[1].audited) return SVS_OK;
    if (svs_fiber_continue(ranks, be_busy, &again)) return 1;
    return svs_fiber_enable(ranks, again);
}

static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_fiber busy;
    svs__random_seed(&mine->random, mine->seed * 77 + svs_ranks_index(ranks));
    if (mine->seed % 8 == 7 &&
        (svs_fiber_new(ranks, be_busy, NULL, 0, NULL, &busy) || svs_fiber_enable(ranks, busy)))
        return 1;
    for (uint32_t i = 0; i < BOOKS; i++) {
        book *one = &mine->books[i];
        svs_fiber fiber;
        svs_status status;
        one->balance = START;
        svs_counter_init(&one->ready, 0);
        status = svs_snapshot_new(ranks, NULL, i + 1, &one->snapshot, &one->ready);
        if (status == SVS_WAIT || status == SVS_OK)
            status = svs_distributed_new(ranks, NULL, i + 10, one, &one->sums, &one->ready);
        if (status != SVS_WAIT && status != SVS_OK) return status;
        CHECK(mine, svs_snapshot_unfreeze(one->snapshot, &one->ready) == SVS_E_STATE);
        if (svs_thread_spawn(ranks, audit, &i, sizeof i, NULL) ||
            svs_fiber_new(ranks, make_transfers, &i, sizeof i, NULL, &fiber) ||
            svs_counter_wait(ranks, &one->ready, 2, fiber))
            return 1;
    }
    return SVS_OK;
}

static const char *check(program_run *run) {
    const char *wrong;
    for (uint32_t b = 0; b < BOOKS; b++) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < run->program->ranks; i++) {
            const own *mine = program_data(run, i);
            sum += mine->books[b].balance;
            if ((wrong = program_wrong_line(mine->wrong, i))) return wrong;
            if (mine->books[b].transfers != TRANSFERS) return "a transfer was not retried";
        }
        if (sum != (int64_t)START * run->program->ranks) return "the sum has changed";
    }
    return NULL;
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->aggregate_bytes = seed % 3 * 150;
    options->credits = 1 + (uint32_t)(seed % 2);
    options->direct_ranks = seed % 4 == 0 ? 2 : 64;
    options->flush_fibers = UINT32_MAX;
    options->flush_ns = UINT64_MAX;
    options->threads = 4;
}

#define BOOKS_ON(n)                                                                                \
    PROGRAM(books_##n, .ranks = n, .bytes = sizeof(own), PROGRAM_HANDLERS(handlers),               \
            .seeded = true, .options = vary, .start = start, .check = check)
BOOKS_ON(1);
BOOKS_ON(2);
BOOKS_ON(3);
BOOKS_ON(6);

TEST_CASE(transfers_keep_their_sum) {
    program_sim(&books_1, 300);
    program_sim(&books_2, 2000);
    program_sim(&books_3, 2000);
    program_sim(&books_6, 300);
    program_local(&books_3, 20);
}

TEST_CASE(survivors_agree_and_memory_is_released) {
    program_kill(&books_2, 97);
    program_exhaust(&books_2, 7);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
