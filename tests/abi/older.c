/* A program of this version, run with a library in which each public struct is longer. Guard bytes
 * behind the program's structs show each write of the library beyond them.
 *
 * usage: abi_older PART-OF-THE-LIBRARYS-PATH */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>
#include <svs/svs.h>

#define BEHIND 64u

/* A struct of the face, with bytes behind it that nothing may write. */
#define GUARDED(type, name)                                                                        \
    struct {                                                                                       \
        type it;                                                                                   \
        unsigned char behind[BEHIND];                                                              \
    } name;                                                                                        \
    memset(&(name), 0x5a, sizeof(name))
#define CHECK_BEHIND(name) check_behind((name).behind, #name)

static void must(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "abi_older: %s\n", what);
    exit(EXIT_FAILURE);
}

static void check_behind(const unsigned char *behind, const char *what) {
    for (unsigned i = 0; i < BEHIND; i++) must(behind[i] == 0x5a, what);
}

typedef struct addition {
    long *to;
    int fails;
} addition;

static void addition_touch(svs_footprint *f, const addition *a) { svs_writes(f, a->to); }
static svs_status addition_run(svs_context *x, addition *a) {
    (void)x;
    ++*a->to;
    return a->fails;
}
SVS_TASK(addition, addition_run, addition_touch)

static void root(svs_async_context *async, void *argument) {
    (void)async;
    ++*(long *)argument;
}

static void run_graph(svs_world *world) {
    GUARDED(svs_graph_options, options);
    GUARDED(svs_graph_statistics, statistics);
    GUARDED(svs_report, report);
    GUARDED(svs_for_each_options, loop);
    svs_graph *graph;
    svs_task *task;
    long sum = 0;
    addition items[10] = {{&sum, 0}};
    for (int i = 0; i < 10; i++) items[i] = (addition){&sum, i == 9 ? 42 : 0};
    svs_graph_options_init(&options.it);
    CHECK_BEHIND(options);
    options.it.name = "older";
    must(!svs_graph_new(world, &options.it, &graph), "a graph with the options of this version");
    must(!svs_graph_add_itemizer(graph, &addition_task, NULL, &task), "a task");
    must(!svs_graph_send(graph, task, items, 9, sizeof *items), "items");
    must(!svs_graph_run(graph, 1, &report.it), "a run");
    must(sum == 9 && report.it.status == SVS_OK, "nine additions");
    CHECK_BEHIND(report);
    must(!svs_graph_statistics_get(graph, &statistics.it), "statistics");
    must(statistics.it.instances == 9, "nine instances");
    CHECK_BEHIND(statistics);
    must(!svs_graph_send(graph, task, items + 9, 1, sizeof *items), "an item that fails");
    must(svs_graph_run(graph, 1, &report.it) == 42 && report.it.status == 42, "the failure");
    must(!strcmp(report.it.task, "addition"), "its task");
    CHECK_BEHIND(report);
    must(!svs_graph_free(graph), "the graph freed");
    svs_for_each_options_init(&loop.it);
    CHECK_BEHIND(loop);
    loop.it.algorithm = SVS_ALGORITHM_IN_ORDER;
    sum = 0;
    must(!svs_for_each_with(world, &addition_task, items, 9, &loop.it, NULL) && sum == 9,
         "a loop with the options of this version");
}

static void run_asyncs(svs_runtime *runtime) {
    GUARDED(svs_trace_options, options);
    GUARDED(svs_trace_statistics, statistics);
    GUARDED(svs_worker_statistics, worker);
    GUARDED(svs_measure, measure);
    GUARDED(svs_check_options, check);
    GUARDED(svs_check_summary, summary);
    svs_trace *trace;
    long ran = 0;
    svs_trace_options_init(&options.it);
    CHECK_BEHIND(options);
    must(!svs_trace_start(runtime, &options.it), "a trace");
    must(!svs_async_run(runtime, root, &ran) && ran == 1, "a root");
    must(!svs_trace_stop(runtime, &trace), "the trace's end");
    must(!svs_measure_run(runtime, root, &ran, &measure.it) && ran == 2, "a measured root");
    CHECK_BEHIND(measure);
    must(!svs_trace_measure_set(trace, &measure.it), "a measure");
    must(!svs_trace_statistics_get(trace, &statistics.it) && statistics.it.workers == 2,
         "the trace's statistics");
    CHECK_BEHIND(statistics);
    svs_trace_free(trace);
    must(!svs_runtime_statistics_get(runtime, 1, &worker.it), "a worker's statistics");
    CHECK_BEHIND(worker);
    svs_check_options_init(&check.it);
    CHECK_BEHIND(check);
    must(!svs_check_start(runtime, &check.it), "a check");
    must(!svs_async_run(runtime, root, &ran) && ran == 3, "a checked root");
    must(!svs_check_stop(runtime, &summary.it) && summary.it.races == 0, "the check's end");
    CHECK_BEHIND(summary);
}

int main(int count, char **arguments) {
    GUARDED(svs_runtime_options, options);
    GUARDED(svs_world_options, world_options);
    GUARDED(svs_world_statistics, statistics);
    svs_runtime *runtime;
    svs_world *world;
    Dl_info library;
    must(count == 2, "usage: abi_older PART-OF-THE-LIBRARYS-PATH");
    must(dladdr((void *)(size_t)svs_version, &library) && strstr(library.dli_fname, arguments[1]),
         "the library is not the one that was asked for");
    svs_runtime_options_init(&options.it);
    CHECK_BEHIND(options);
    options.it.threads = 2;
    must(!svs_runtime_new(&options.it, &runtime) && !svs_runtime_start(runtime), "a runtime");
    svs_world_options_init(&world_options.it);
    CHECK_BEHIND(world_options);
    must(!svs_world_new(runtime, &world_options.it, &world), "a world");
    must(!svs_world_statistics_get(world, &statistics.it), "the world's statistics");
    CHECK_BEHIND(statistics);
    run_graph(world);
    run_asyncs(runtime);
    must(!svs_world_free(world) && !svs_runtime_free(runtime), "the end");
    puts("abi_older: an older program runs");
    return EXIT_SUCCESS;
}
