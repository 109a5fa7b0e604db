/* The machine interface over local and sim: numbered buffers, refused sends, poison, departures. */
#include "base/random.h"
#include "case.h"
#include "transport/local.h"
#include "transport/sim.h"
#include <string.h>

enum { RANKS = 4, BUFFERS = 20, BYTES = 40 };

/* The progress of one rank in the all-to-all exchange. */
typedef struct exchange {
    const svs_transport *transport;
    uint32_t sent, completed, left;
    uint32_t seen[RANKS];
    bool gone[RANKS], dead;
} exchange;

#define FAIL_IF(condition)                                                                         \
    if (condition) return __LINE__

static int send_next(exchange *e) {
    const svs__transport_type *type = e->transport->type;
    uint32_t to = e->sent % RANKS;
    svs__buffer *buffer;
    if (e->sent == RANKS * BUFFERS) return 0;
    buffer = svs__buffer_new(&svs__allocator_libc, BYTES);
    buffer->bytes = BYTES;
    memset(buffer->data, (int)(e->sent / RANKS), BYTES);
    if (type->send(e->transport->endpoint, to, buffer) == SVS__SEND_LATER) {
        svs__buffer_free(&svs__allocator_libc, buffer);
        return 0;
    }
    e->sent++;
    return 0;
}

static int take_completed(exchange *e) {
    svs__buffer *buffer = e->transport->type->completed(e->transport->endpoint);
    if (buffer == NULL) return 0;
    svs__buffer_free(&svs__allocator_libc, buffer);
    e->completed++;
    FAIL_IF(e->completed > e->sent);
    return 0;
}

static int take_buffer(exchange *e, svs__buffer *buffer, uint32_t from) {
    FAIL_IF(from >= RANKS || e->gone[from] || buffer->bytes != BYTES); /* transport.T3 */
    for (uint32_t i = 0; i < BYTES; i++)
        FAIL_IF(buffer->data[i] != e->seen[from]); /* transport.T1 */
    e->seen[from]++;
    e->transport->type->release(e->transport->endpoint, buffer);
    return 0;
}

static int receive_next(exchange *e) {
    svs__buffer *buffer;
    uint32_t from;
    switch (e->transport->type->receive(e->transport->endpoint, &buffer, &from)) {
    case SVS__ARRIVED: return take_buffer(e, buffer, from);
    case SVS__LEFT:
        FAIL_IF(e->gone[from]);
        e->gone[from] = true;
        e->left++;
        return 0;
    case SVS__DEAD: e->dead = true; return 0;
    case SVS__NOTHING: break;
    }
    if (e->sent == RANKS * BUFFERS) e->transport->type->idle(e->transport->endpoint, SVS__NEVER, 0);
    return 0;
}

static bool has_all(const exchange *e) {
    for (uint32_t i = 0; i < RANKS; i++)
        if (e->seen[i] != BUFFERS && !e->gone[i]) return false;
    return e->sent == RANKS * BUFFERS;
}

/* Sends to all, receives from all, closes, and waits for what it has sent. */
static int exchange_all(const svs_transport *transport, void *argument) {
    exchange e = {.transport = transport};
    int failed = transport->type->open(transport->endpoint) ? 0 : 1;
    while (failed == 0 && !e.dead && !has_all(&e)) {
        failed = send_next(&e);
        if (failed == 0) failed = receive_next(&e);
        if (failed == 0) failed = take_completed(&e);
    }
    transport->type->close(transport->endpoint);
    while (failed == 0 && e.completed != e.sent) {
        failed = take_completed(&e);
        if (e.completed != e.sent) transport->type->idle(transport->endpoint, SVS__NEVER, 0);
    }
    return failed;
}

TEST_CASE(local_delivers_in_order) {
    for (int i = 0; i < 20; i++) assert_int_equal(svs__local_run(RANKS, exchange_all, NULL), 0);
}

TEST_CASE(sim_delivers_in_order) {
    for (uint64_t seed = 1; seed <= 300; seed++) {
        svs__sim_options options = {.count = RANKS, .seed = seed};
        assert_int_equal(svs__sim_run(&options, exchange_all, NULL), 0);
    }
}

/* Each rank in turn dies at each of its steps: the others are told, and all ranks end. */
TEST_CASE(sim_tells_all_survivors_of_a_death) {
    for (uint32_t kill = 0; kill < RANKS; kill++)
        for (uint64_t step = 1, last = 1; step <= last; step += 7) {
            uint64_t steps[RANKS];
            svs__sim_options options = {
                .count = RANKS, .seed = step, .kill = kill, .kill_step = step, .steps = steps};
            assert_int_equal(svs__sim_run(&options, exchange_all, NULL), 0);
            last = steps[kill];
        }
}

static int wait_for_ever(const svs_transport *transport, void *argument) {
    svs__buffer *buffer;
    uint32_t from;
    while (transport->type->receive(transport->endpoint, &buffer, &from) != SVS__DEAD)
        transport->type->idle(transport->endpoint, SVS__NEVER, 0);
    return 0;
}

TEST_CASE(sim_notices_that_all_ranks_wait) { /* transport.S2 */
    svs__sim_options options = {.count = 3, .quiet = true};
    assert_int_equal(svs__sim_run(&options, wait_for_ever, NULL), SVS_E_DEADLOCK);
}

/* The order in which rank 0 hears of the others. */
typedef struct heard {
    uint32_t order[RANKS], count;
} heard;

static int hear(const svs_transport *transport, void *argument) {
    heard *mine = argument;
    svs__buffer *buffer;
    uint32_t from;
    while (transport->rank == 0 && mine->count < RANKS - 1) {
        if (transport->type->receive(transport->endpoint, &buffer, &from) == SVS__LEFT)
            mine->order[mine->count++] = from;
        else transport->type->idle(transport->endpoint, SVS__NEVER, 0);
    }
    return 0;
}

TEST_CASE(sim_repeats_a_run_by_its_seed_and_varies_it) {
    bool differs = false;
    heard first = {{0}, 0};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        svs__sim_options options = {.count = RANKS, .seed = seed};
        heard one = {{0}, 0}, again = {{0}, 0};
        assert_int_equal(svs__sim_run(&options, hear, &one), 0);
        assert_int_equal(svs__sim_run(&options, hear, &again), 0);
        assert_memory_equal(&one, &again, sizeof one);
        if (seed == 1) first = one;
        differs = differs || memcmp(&one, &first, sizeof one) != 0;
    }
    assert_true(differs);
}

static int return_rank(const svs_transport *transport, void *argument) {
    return transport->rank == 2 ? 7 : 0;
}

TEST_CASE(the_first_failing_rank_is_the_result) {
    svs__sim_options options = {.count = RANKS};
    assert_int_equal(svs__sim_run(&options, return_rank, NULL), 7);
    assert_int_equal(svs__local_run(RANKS, return_rank, NULL), 7);
}

/* Each row: the arguments behind the name of the program, and the result. */
static int program_of_main(const svs_transport *transport, int argc, char **argv) {
    if (argc != 2 || strcmp(argv[1], "word") != 0 || argv[2] != NULL) return 50;
    return (int)transport->count;
}

TEST_CASE(main_selects_the_transport) {
    static const struct {
        const char *words[3];
        int result;
    } rows[] = {
        {{"--transport", "local:3", "word"}, 3},
        {{"word", "--transport", "sim:5:8"}, 5},
        {{"--transport=sim:4", "word"}, 4},
        {{"--transport=sim:x", "word"}, 2},
        {{"--transport", "sim:4:8:1", "word"}, 2},
        {{"--transport=local:0", "word"}, 2},
        {{"--transport=mpi", "word"}, 2},
        {{"--transport=pigeons", "word"}, 2},
        {{"word", "--transport"}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char words[4][20] = {"program"};
        char *argv[5] = {words[0]};
        int argc = 1;
        for (int w = 0; w < 3 && rows[i].words[w] != NULL; w++) {
            strcpy(words[argc], rows[i].words[w]);
            argv[argc] = words[argc];
            argc++;
        }
        assert_int_equal(svs_ranks_main(NULL, program_of_main, argc, argv), rows[i].result);
    }
}

int main(void) { return run_cases(NULL, NULL); }
