/* Two threads that run something in one runtime at the same time: one of them is worker 0, the
 * other waits for its seat or for the end of its run (worksteal.R2, worksteal.R3). */
#include "base/platform.h"
#include "explore/explore.h"
#include <svs/async.h>
#include <svs/runtime.h>

static svs_runtime *runtime;
static uint32_t ran[2];

static void count(svs_async_context *async, void *argument) {
    explore_wrote(argument);
    ++*(uint32_t *)argument;
}

static void *participate(void *argument) {
    uint32_t *mine = argument;
    EXPLORE_CHECK(svs_async_run(runtime, count, mine) == SVS_OK);
    explore_read(mine);
    EXPLORE_CHECK(*mine == 1);
    return NULL;
}

static void run_with(uint32_t threads) {
    svs__thread other;
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = threads;
    options.spin_ns = 0;
    ran[0] = ran[1] = 0;
    EXPLORE_CHECK(svs_runtime_new(&options, &runtime) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_start(runtime) == SVS_OK);
    EXPLORE_CHECK(svs__thread_create(&other, participate, &ran[1], 0) == SVS_OK);
    (void)participate(&ran[0]);
    svs__thread_join(&other);
    EXPLORE_CHECK(svs_runtime_stop(runtime) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_free(runtime) == SVS_OK);
}

static void alone(void) { run_with(1); }
static void beside_a_worker(void) { run_with(2); }

const explore_scenario explore_seat = {"seat", alone, 3, 20000, "a participant that is forgotten"};
const explore_scenario explore_participants = {
    "participants", beside_a_worker, 1, 20000,
    "the same with a worker that runs what they wait for"};
