/* Each request for memory fails in turn, the n-th since the check was asked for, for n = 1, 2, 3
 * ... until a life needs fewer: the heap's and the pages'. A check that cannot begin says so; one
 * that has begun never keeps a program from its result, and what it could not see is counted as
 * lost: where nothing is lost, what is wrong is found. */
#include "graph_scene.h"
#include <sys/mman.h>

/* ---- requests ---- */

static _Atomic(uint64_t) requests, fails_at; /* 0: none fails */
static _Atomic(bool) counts;

static bool fails(void) {
    if (!svs__load_relaxed(&counts)) return false;
    return svs__fetch_add_relaxed(&requests, 1) + 1 == svs__load_relaxed(&fails_at);
}

void *__real_malloc(size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__real_mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset);
void *__wrap_malloc(size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset);

void *__wrap_malloc(size_t bytes) { return fails() ? NULL : __real_malloc(bytes); }
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return fails() ? NULL : __real_aligned_alloc(alignment, bytes);
}
void *__wrap_mmap(void *at, size_t bytes, int access, int flags, int file, off_t offset) {
    return fails() ? MAP_FAILED : __real_mmap(at, bytes, access, flags, file, offset);
}

/* ---- the programs ---- */

static _Alignas(64) unsigned char memory[64];
static _Atomic(uint32_t) ran;

static void write_memory(svs_async_context *async, void *argument) {
    (void)svs__fetch_add_relaxed(&ran, 1);
    svs_check_write(memory, 8);
}

static void write_twice(svs_async_context *async, void *argument) {
    svs_async(async, write_memory, NULL, 0);
    svs_async(async, write_memory, NULL, 0);
    write_memory(async, argument);
}

static void write_in_a_finish(svs_async_context *async, void *argument) {
    svs_finish(async, write_twice, argument);
}

/* A sender of more items than its table has room for at first; each touches what it has not
 * declared. */
#define SENT 800u

static void sends_many(svs_context *context, script *of) {
    static script receiver = {.deed = writes_value};
    part items[SENT];
    receiver.with = of->with;
    for (uint32_t i = 0; i < SENT; i++) items[i].script = &receiver;
    if (bob_send(context, of->to, items, SENT)) return;
    writes_value(context, of);
}

/* The results of one attempt. */
typedef struct life {
    svs_status begun, asyncs, graph;
    uint32_t races, undeclared;
    svs_check_summary summary;
} life;

static life now;

static void count(const svs_check_race *race, void *argument) {
    life *l = argument;
    if (race->verdict == SVS_CHECK_VERDICT_UNDECLARED) l->undeclared++;
    else if (race->address == memory) l->races++;
}

static svs_status run_graph(svs_runtime *runtime) {
    svs_world *world = NULL;
    svs_graph *graph = NULL;
    svs_task *first, *second;
    void *t = NULL;
    script a = {.deed = sends_many};
    part p = {&a};
    svs_status status = svs_world_new(runtime, NULL, &world);
    if (!status) status = svs_object_new(world, &thing_type, &t);
    if (!status) status = svs_graph_new(world, NULL, &graph);
    if (!status) status = svs_graph_add_transform(graph, &ann_task, &p, NULL, &first);
    if (!status) status = svs_graph_add_itemizer(graph, &bob_task, NULL, &second);
    if (!status) status = svs_graph_add_flow(graph, first, second);
    if (!status) {
        a.with = t;
        a.to = second;
        status = svs_graph_run(graph, 1, NULL);
    }
    if (graph != NULL) assert_int_equal(svs_graph_free(graph), SVS_OK);
    if (t != NULL) assert_int_equal(svs_object_free(&((thing *)t)->svs), SVS_OK);
    if (world != NULL) assert_int_equal(svs_world_free(world), SVS_OK);
    return status;
}

static void live(uint32_t policy, uint64_t fails_then) {
    svs_runtime_options silent;
    svs_check_options options;
    svs_runtime *runtime;
    svs_runtime_options_init(&silent);
    silent.policy = policy;
    silent.threads = 1;
    silent.log = NULL;
    runtime = started_with(&silent);
    memset(&now, 0, sizeof now);
    svs_check_options_init(&options);
    options.max_bytes = (size_t)16 << 20;
    options.found = count;
    options.found_argument = &now;
    svs__store_relaxed(&ran, 0);
    svs__store_relaxed(&requests, 0);
    svs__store_relaxed(&fails_at, fails_then);
    svs__store_relaxed(&counts, true);
    now.begun = svs_check_start(runtime, &options);
    now.asyncs = svs_async_run(runtime, write_in_a_finish, NULL);
    now.graph = run_graph(runtime);
    if (!now.begun) assert_int_equal(svs_check_stop(runtime, &now.summary), SVS_OK);
    svs__store_relaxed(&counts, false);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static void is_ok_or_without_memory(svs_status status) {
    if (status != SVS_E_NO_MEMORY) assert_int_equal(status, SVS_OK);
}

TEST_CASE(what_a_check_has_no_memory_for_is_refused_or_counted) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        uint64_t refused = 0, lost = 0;
        for (uint64_t n = 1;; n++) {
            live(policy, n);
            is_ok_or_without_memory(now.begun);
            is_ok_or_without_memory(now.asyncs);
            is_ok_or_without_memory(now.graph);
            if (!now.asyncs) assert_int_equal(svs__load_relaxed(&ran), 3);
            refused += now.begun != SVS_OK;
            lost += now.summary.lost != 0;
            if (!now.begun && !now.asyncs && now.summary.lost == 0) assert_true(now.races != 0);
            if (!now.begun && !now.graph && now.summary.lost == 0) assert_true(now.undeclared != 0);
            if (svs__load_relaxed(&requests) < n) break;
        }
        assert_int_equal(now.begun | now.asyncs | now.graph, SVS_OK);
        assert_int_equal(now.summary.lost, 0);
        assert_true(refused >= 8 && lost >= 8);
    }
}

int main(void) { return run_cases(NULL, NULL); }
