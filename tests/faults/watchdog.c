/* The watchdog: it names the worker, the task and how long, keeps quiet otherwise, and has the
 * trace written that is being recorded.
 *
 * A body here does not return before the watchdog has warned: a test that hangs is one that failed,
 * and no time is judged. */
#include "load.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#define LINES 64

typedef struct heard {
    pthread_mutex_t lock;
    atomic_int count;
    char line[LINES][512];
} heard;

static heard lines;
static atomic_int wanted;         /* lines that name the hanging body, before it returns */
static const char *also_wanted;   /* and a line with this in it, when it is not NULL */
static atomic_int hanging_worker; /* the worker that runs the hanging body */
static const char *hanging_body;  /* what the log calls the hanging body */

static void hear(int level, const char *text, void *argument) {
    heard *h = argument;
    if (level != SVS_LOG_WARNING) return;
    pthread_mutex_lock(&h->lock);
    if (atomic_load(&h->count) < LINES)
        (void)snprintf(h->line[atomic_load(&h->count)], sizeof h->line[0], "%s", text);
    atomic_fetch_add(&h->count, 1);
    pthread_mutex_unlock(&h->lock);
}

/* Opens a runtime whose watchdog looks after `ms`, for a program in which `body` will hang. */
static void open_watched(load *l, uint32_t threads, uint32_t policy, uint32_t ms, const char *body,
                         const char *trace) {
    svs_runtime_options options;
    alarm(LOAD_HANG_SECONDS);
    hanging_body = body;
    memset(&lines, 0, sizeof lines);
    pthread_mutex_init(&lines.lock, NULL);
    atomic_store(&wanted, 1);
    also_wanted = NULL;
    svs_runtime_options_init(&options);
    options.threads = threads;
    options.policy = policy;
    options.watchdog_ns = ms * UINT64_C(1000000);
    options.watchdog_trace = trace;
    options.log = hear;
    options.log_argument = &lines;
    load_open_with(l, &options);
}

/* Whether `line` names the hanging body at `worker`. The system may have kept that worker from its
 * CPU in a body before this one, so that the worker alone does not tell. */
static bool names_hanging(const char *line, int worker) {
    char name[64];
    (void)snprintf(name, sizeof name, "watchdog: worker %d has been in one body for ", worker);
    return strncmp(line, name, strlen(name)) == 0 && strstr(line, hanging_body);
}

/* How many lines have `with` in them, or, when it is NULL, name the hanging body at `worker`. */
static int lines_of(int worker, const char *with) {
    int found = 0;
    pthread_mutex_lock(&lines.lock);
    for (int i = 0; i < atomic_load(&lines.count) && i < LINES; i++)
        found += with ? strstr(lines.line[i], with) != NULL : names_hanging(lines.line[i], worker);
    pthread_mutex_unlock(&lines.lock);
    return found;
}

static int lines_with(const char *with) { return lines_of(0, with); }

static void hang(uint32_t worker) {
    atomic_store(&hanging_worker, (int)worker);
    while (lines_of((int)worker, NULL) < atomic_load(&wanted) ||
           (also_wanted && !lines_with(also_wanted)))
        sched_yield();
}

/* The log names the hanging body and its worker, with the time. It may name another body once, as
 * the system may have kept that one from its CPU for as long, but not over and over. */
static void assert_named(void) {
    int worker = atomic_load(&hanging_worker), left = lines_of(worker, NULL), named = left;
    char name[64];
    (void)snprintf(name, sizeof name, "watchdog: worker %d has been", worker);
    assert_true(named >= atomic_load(&wanted));
    for (int i = 0; i < atomic_load(&lines.count) && i < LINES; i++) {
        const char *line = lines.line[i];
        if (names_hanging(line, worker)) {
            left--;
            assert_true(strtoul(strstr(line, " for ") + 5, NULL, 10) >= 10);
        } else if (left < named && left) { /* it hangs between the first line and the last */
            if (strstr(line, name)) fail_msg("%s: not %s", line, hanging_body);
        }
    }
    assert_true(lines_with("has been in one body") - named < named);
}

/* ---- a task ---- */

static svs_status hang_run(svs_context *context, int *unused) {
    hang(svs_worker_index());
    return SVS_OK;
}
static void hang_touch(svs_footprint *f, const int *unused) { svs_writes(f, &wanted); }
SVS_TASK(sleeper, int, hang_run, hang_touch)

TEST_CASE(a_body_that_does_not_return_is_named) {
    for (int algorithm = SVS_ALGORITHM_STAGED; algorithm <= SVS_ALGORITHM_IN_ORDER; algorithm++) {
        svs_task *task;
        int item = 0;
        load l;
        open_watched(&l, 2, SVS_POLICY_HELP_FIRST, 10, "task sleeper", NULL);
        atomic_store(&wanted, 3); /* at 10 ms, at 20, at 40 */
        load_ok(svs_graph_add_itemizer(l.graph, &sleeper_task, NULL, &task));
        load_ok(svs_task_set_algorithm(task, (svs_algorithm)algorithm));
        load_ok(svs_graph_send(l.graph, task, &item, 1, sizeof item));
        assert_true(load_run_graph(&l));
        assert_named();
        load_close(&l);
    }
}

/* ---- asyncs ---- */

static void hang_async(svs_async_context *async, void *argument) { hang(svs_worker_index()); }

TEST_CASE(an_async_that_does_not_return_is_named) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        load l;
        open_watched(&l, 2, policy, 10, "asyncs of ", NULL);
        atomic_store(&wanted, 2);
        load_ok(svs_async_run(l.runtime, hang_async, NULL));
        assert_named();
        load_close(&l);
    }
}

static atomic_int stolen;

static void hang_when_stolen(svs_async_context *async, void *argument) {
    atomic_store(&stolen, 1);
    hang_async(async, argument);
}

/* The child hangs at a thief; its spawner waits in its finish, and is not the one to name. */
static void spawn_and_wait(svs_async_context *async, void *argument) {
    svs_async(async, hang_when_stolen, argument, 0);
    while (!atomic_load(&stolen)) { /* further children have the first one shared */
        long leaves = SVS_CALL_ON(async, leaves, 4);
        if (leaves != 16) abort();
        sched_yield();
    }
}

TEST_CASE(a_waiting_spawner_is_not_named) {
    load l;
    atomic_store(&stolen, 0);
    open_watched(&l, 2, SVS_POLICY_HELP_FIRST, 20, "asyncs of ", NULL);
    atomic_store(&wanted, 5); /* the last at 320 ms */
    load_ok(svs_async_run(l.runtime, spawn_and_wait, NULL));
    assert_named();
    load_close(&l);
}

/* Asyncs of a body: the thief of one is named with the graph. */
static svs_status spawn_run(svs_context *context, int *unused) {
    spawn_and_wait(svs_context_async(context), NULL);
    return SVS_OK;
}
SVS_TASK(spawner, int, spawn_run, hang_touch)

TEST_CASE(the_thief_of_a_bodys_async_is_named) {
    svs_task *task;
    int item = 0;
    load l;
    atomic_store(&stolen, 0);
    open_watched(&l, 2, SVS_POLICY_HELP_FIRST, 20, "asyncs of a body in graph graph", NULL);
    atomic_store(&wanted, 5);
    load_ok(svs_graph_add_itemizer(l.graph, &spawner_task, NULL, &task));
    load_ok(svs_graph_send(l.graph, task, &item, 1, sizeof item));
    assert_true(load_run_graph(&l));
    assert_named();
    load_close(&l);
}

/* ---- silence ---- */

TEST_CASE(progress_is_not_logged) {
    int rounds = load_percent() >= 100 ? 200 : 20;
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        load l;
        /* Longer than any machine keeps a body waiting; it looks each quarter of that, so that the
         * stop must wake it. */
        open_watched(&l, 3, policy, 40000, NULL, NULL);
        for (int i = 0; i < rounds; i++) assert_true(load_run(&l));
        load_close(&l);
        assert_int_equal(atomic_load(&lines.count), 0);
        /* It looks as often as it can, and takes nothing: whatever it says is about a body. */
        open_watched(&l, 3, policy, 1, NULL, NULL);
        for (int i = 0; i < rounds; i++) assert_true(load_run(&l));
        load_close(&l);
        for (int i = 0; i < atomic_load(&lines.count) && i < LINES; i++)
            assert_non_null(strstr(lines.line[i], "has been in one body"));
    }
}

/* ---- the trace ---- */

TEST_CASE(a_trace_that_is_recorded_is_written) {
    char path[] = "/tmp/svs_watchdog_XXXXXX", message[SVS_TRACE_MESSAGE];
    int file = mkstemp(path);
    svs_trace *trace;
    svs_trace_statistics statistics;
    load l;
    assert_true(file >= 0);
    close(file);
    open_watched(&l, 2, SVS_POLICY_HELP_FIRST, 10, "asyncs of ", path);
    also_wanted = path;
    load_ok(svs_trace_start(l.runtime, NULL));
    load_ok(svs_async_run(l.runtime, hang_async, NULL));
    load_ok(svs_trace_stop(l.runtime, NULL));
    assert_named();
    assert_true(lines_with("the trace so far is in") >= 1);
    load_ok(svs_trace_read(path, &trace, message, sizeof message));
    load_ok(svs_trace_statistics_get(trace, &statistics));
    assert_int_equal(statistics.roots, 1);
    svs_trace_free(trace);
    load_close(&l);
    (void)unlink(path);
}

TEST_CASE(a_trace_that_cannot_be_written_is_reported) {
    load l;
    open_watched(&l, 2, SVS_POLICY_WORK_FIRST, 10, "asyncs of ", "/no/such/folder/trace");
    also_wanted = "/no/such/folder";
    load_ok(svs_trace_start(l.runtime, NULL));
    load_ok(svs_async_run(l.runtime, hang_async, NULL));
    load_ok(svs_trace_stop(l.runtime, NULL));
    assert_non_null(
        strstr(lines.line[1], "the trace so far could not be written: /no/such/folder"));
    load_close(&l);
}

int main(void) { return run_cases(NULL, NULL); }
