/* Ranks that threads of the program drive, one after the other (ranks.R1). */
#include "ranks/program.h"
#include <pthread.h>
#include <stdio.h>

enum { RANKS = 3, BARRIERS = 40 };

typedef struct own {
    svs_counter heard; /* first: handlers are passed it */
    svs_ranks *ranks;
    pthread_mutex_t lock;
    pthread_cond_t passed;
    unsigned turn, steps[2]; /* of which thread it is, and how many each has made */
    unsigned refused;        /* ... and those that the transport did not serve */
    svs_status ended;        /* SVS_WAIT: not yet */
    svs_status answer;       /* of a step during a step */
    uint32_t barriers;
} own;

static void hear(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count) {
    svs_counter_add(ranks, (svs_counter *)part, (int64_t)(count + 0 * words[0]));
}
SVS_HANDLER_IN_PLACE(tell, uint64_t, hear)
static const svs_handler *const handlers[] = {&tell};

static void *step_too(void *argument) {
    own *mine = argument;
    mine->answer = svs_ranks_step(mine->ranks, 0);
    return NULL;
}

/* Another thread steps while this one does. */
static bool is_refused(own *mine) {
    pthread_t other;
    if (pthread_create(&other, NULL, step_too, mine) != 0) return false;
    return pthread_join(other, NULL) == 0 &&
           (mine->answer == SVS_E_NESTED || mine->answer == SVS_E_THREAD);
}

/* A thread with a stack, which is resumed by either thread of the system. */
static svs_status meet(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint32_t next = (svs_ranks_index(ranks) + 1) % svs_ranks_count(ranks);
    svs_distributed *all;
    svs_counter done;
    svs_status status;
    (void)state;
    svs_counter_init(&done, 0);
    status = svs_distributed_new(ranks, "all", 0, NULL, &all, &done);
    if (status == SVS_WAIT) status = svs_await(ranks, &done, 1);
    if (status == SVS_OK && !is_refused(mine)) return 1;
    for (uint64_t i = 0; i < BARRIERS && status == SVS_OK; i++) {
        status = tell_post(ranks, next, &i);
        if (status == SVS_OK) status = svs_await(ranks, &mine->heard, (int64_t)i + 1);
        if (status == SVS_OK) status = svs_barrier(all, &done);
        if (status == SVS_WAIT) status = svs_await(ranks, &done, (int64_t)i + 2);
        mine->barriers++;
    }
    return status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, meet, state, 0, NULL);
}

/* Makes each second step. */
static void drive(own *mine, unsigned which) {
    pthread_mutex_lock(&mine->lock);
    while (mine->ended == SVS_WAIT) {
        if (mine->turn == which) {
            svs_status status = svs_ranks_step(mine->ranks, 200000);
            if (status == SVS_E_THREAD) mine->refused++;
            else mine->ended = status;
            mine->steps[which]++;
            mine->turn = 1 - which;
            pthread_cond_broadcast(&mine->passed);
        } else {
            pthread_cond_wait(&mine->passed, &mine->lock);
        }
    }
    pthread_mutex_unlock(&mine->lock);
}

static void *drive_second(void *argument) {
    drive(argument, 1);
    return NULL;
}

static svs_status run_passed(own *mine) {
    pthread_t second;
    svs_status status = svs_ranks_begin(mine->ranks, start, NULL);
    if (status != SVS_OK) return status;
    mine->ended = SVS_WAIT;
    if (pthread_create(&second, NULL, drive_second, mine) != 0) return SVS_E_THREAD;
    drive(mine, 0);
    if (pthread_join(second, NULL) != 0) return SVS_E_THREAD;
    return mine->ended == SVS_OK ? svs_ranks_end(mine->ranks) : mine->ended;
}

static void quiet(int level, const char *text, void *argument) {
    (void)level, (void)text, (void)argument;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    own mine = {.lock = PTHREAD_MUTEX_INITIALIZER, .passed = PTHREAD_COND_INITIALIZER};
    svs_ranks_options options;
    svs_status status;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.log = quiet;
    if (svs_ranks_new(&options, &mine.ranks) != SVS_OK) return 1;
    svs_ranks_set_data(mine.ranks, &mine);
    status = svs_handlers_add(mine.ranks, handlers, 1);
    if (status == SVS_OK) status = run_passed(&mine);
    if (svs_ranks_free(mine.ranks) != SVS_OK || status != SVS_OK) return 2;
    if (mine.barriers != BARRIERS || mine.steps[0] == 0 || mine.steps[1] == 0) return 3;
    return mine.refused == 0 ? 0 : mine.refused == mine.steps[1] ? 4 : 5;
}

TEST_CASE(a_rank_passes_between_two_threads) {
    for (uint64_t i = 0; i < program_scaled(20); i++)
        assert_int_equal(program_over("local:3", "", program), 0);
}

/* Its ranks are contexts of one thread: another one is refused, and does no harm. */
TEST_CASE(a_rank_of_sim_stays_with_its_thread) {
    assert_int_equal(program_over("sim:2:1", "", program), 4);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
