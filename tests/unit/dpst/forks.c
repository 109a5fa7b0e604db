/* The child of a fork, from outside, from an async or from a graph's body: its parent's check is
 * none there, and one of its own finds what it has run. */
#include "graph_scene.h"
#include <sys/wait.h>
#include <unistd.h>

static uint64_t memory[8];
static _Atomic(uint32_t) found;

static void count(const svs_check_race *race, void *argument) {
    (void)svs__fetch_add_relaxed(&found, 1);
}

static void write_it(svs_async_context *async, void *argument) {
    svs_check_write(memory, sizeof memory[0]);
}
static void race(svs_async_context *async, void *argument) {
    svs_async(async, write_it, &argument, sizeof argument);
    svs_async(async, write_it, &argument, sizeof argument);
}

static svs_status start(svs_runtime *runtime) {
    svs_check_options options;
    svs_check_options_init(&options);
    options.max_bytes = (size_t)64 << 20;
    options.found = count;
    svs__store_relaxed(&found, 0);
    return svs_check_start(runtime, &options);
}

/* A graph of which two instances write a thing undeclared. */
static int judge_graph(svs_runtime *runtime, uint32_t *undeclared) {
    static script undeclared_write;
    svs_world *world;
    svs_graph *graph;
    svs_task *task;
    part p = {&undeclared_write};
    svs_check_summary summary;
    undeclared_write.deed = writes_value;
    if (svs_world_new(runtime, NULL, &world) || svs_graph_new(world, NULL, &graph) ||
        svs_object_new(world, &thing_type, &undeclared_write.with) ||
        svs_graph_add_itemizer(graph, &ann_task, NULL, &task) ||
        svs_graph_send(graph, task, &p, 1, sizeof p) || svs_graph_run(graph, 1, NULL))
        return 1;
    assert_int_equal(svs_check_summary_get(runtime, &summary), SVS_OK);
    *undeclared = (uint32_t)summary.undeclared;
    return svs_graph_free(graph) || svs_world_free(world) ? 2 : 0;
}

/* By one worker: ThreadSanitizer allows a child no threads. @return 0, or what was wrong. */
static int judge_alone(uint32_t policy) {
    svs_runtime_options options;
    svs_runtime *runtime;
    uint32_t undeclared = 0;
    int wrong;
    svs_runtime_options_init(&options);
    options.threads = 1;
    options.policy = policy;
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) return 10;
    if (start(runtime) || svs_async_run(runtime, race, NULL)) return 11;
    if (svs__load_relaxed(&found) != 1) return 12;
    wrong = judge_graph(runtime, &undeclared);
    if (wrong) return wrong;
    if (undeclared != 1 || svs__load_relaxed(&found) != 2) return 13;
    if (svs_check_stop(runtime, NULL) || svs_runtime_free(runtime)) return 14;
    return 0;
}

static int status_of(pid_t child) {
    int status;
    if (child <= 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST_CASE(a_child_of_an_idle_runtime) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        svs_runtime *runtime = started_as(policy, 3, 20);
        svs_check_summary summary;
        pid_t child;
        assert_int_equal(start(runtime), SVS_OK);
        assert_int_equal(svs_async_run(runtime, race, NULL), SVS_OK);
        child = fork();
        if (child == 0) {
            if (svs_check_stop(runtime, NULL) != SVS_E_STATE) _exit(20);
            _exit(judge_alone(policy));
        }
        assert_int_equal(status_of(child), 0);
        assert_int_equal(svs_async_run(runtime, race, NULL), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(summary.races, 2);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- from an async ---- */

/* ThreadSanitizer looks away in the child of a process with threads, but not on other stacks. */
#if defined(__SANITIZE_THREAD__)
#define POLICIES 1u
#else
#define POLICIES 2u
#endif

static void fork_here(svs_async_context *async, void *argument) {
    int *status = *(int **)argument;
    pid_t child;
    svs_async(async, write_it, &argument, sizeof argument);
    child = fork();
    if (child == 0) {
        int wrong;
        write_it(async, NULL);
        svs_finish(async, race, NULL);
        wrong = judge_alone(POLICIES - 1);
        write_it(async, NULL);
        svs_finish(async, race, NULL);
        _exit(svs__load_relaxed(&found) == 2 ? wrong : 30);
    }
    *status = status_of(child);
    write_it(async, NULL); /* beside the async */
}
static void fork_below(svs_async_context *async, void *argument) {
    svs_async(async, fork_here, &argument, sizeof argument);
}

TEST_CASE(a_child_of_an_async) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy < POLICIES; policy++) {
        svs_runtime *runtime = started_as(policy, 3, 20);
        svs_check_summary summary;
        int status = -1;
        assert_int_equal(start(runtime), SVS_OK);
        assert_int_equal(svs_async_run(runtime, fork_below, &status), SVS_OK);
        assert_int_equal(status, 0);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(summary.races, 1);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- from a graph's body ---- */

static int child_status;
static bool comes_back;

static void fork_in_body(svs_context *context, script *of) {
    pid_t child;
    writes_value(context, of);
    child = fork();
    if (child == 0) {
        int wrong = judge_alone(SVS_POLICY_HELP_FIRST);
        writes_value(context, of);
        if (wrong || !comes_back) _exit(wrong);
        return;
    }
    child_status = status_of(child);
}

TEST_CASE(a_child_of_a_graphs_body) {
    for (int i = 0; i < 2; i++) {
        scene *s = scene_new(2);
        script forks = {.deed = fork_in_body};
        thing *t = thing_new(s);
        comes_back = i != 0;
        forks.with = t;
        writes_thing(&forks, t);
        (void)add_part(s, &ann_task, &forks);
        scene_run(s);
        assert_int_equal(child_status, comes_back ? 70 : 0);
        assert_int_equal(s->summary.undeclared, 0);
        assert_int_equal(s->summary.races, 0);
        scene_free(s);
    }
}

int main(void) { return run_cases(NULL, NULL); }
