#include "misuse.h"
#include "worksteal/runtime.h"

/* A refusal gives no graph. */
static svs_status try_options(setting *s, const svs_graph_options *options) {
    svs_graph *graph = s->graph;
    svs_status status = svs_graph_new(s->world, options, &graph);
    return graph ? STAGE_WRONG : status;
}
static svs_status unfilled(setting *s) {
    svs_graph_options options = {.size = 1};
    return try_options(s, &options);
}
static svs_status unknown_algorithm(setting *s) {
    svs_graph_options options;
    svs_graph_options_init(&options);
    options.algorithm = (svs_algorithm)-1;
    if (try_options(s, &options) != SVS_E_INVALID) return STAGE_WRONG;
    options.algorithm = (svs_algorithm)9;
    return try_options(s, &options);
}
static svs_status loop_unfilled(setting *s) {
    svs_for_each_options options = {.size = 1};
    return svs_for_each_with(s->world, &job_task, NULL, 0, &options, NULL);
}
static svs_status loop_unknown(setting *s) {
    svs_for_each_options options;
    svs_for_each_options_init(&options);
    options.algorithm = (svs_algorithm)9;
    return svs_for_each_with(s->world, &job_task, NULL, 0, &options, NULL);
}
static svs_status free_graph(setting *s) { return svs_graph_free(s->graph); }
static svs_status free_running(setting *s) { return stage_running(s, free_graph); }

static svs_status explain_begin_graph(setting *s) { return svs_explain_begin(s->graph, 0); }
static svs_status explain_begin_running(setting *s) {
    return stage_running(s, explain_begin_graph);
}
static svs_status explain_unsampled(setting *s) {
    char text[8];
    return svs_explain(s->graph, text, sizeof text);
}
static svs_status explain_running(setting *s) { return stage_running(s, explain_unsampled); }
static svs_status explain_end_graph(setting *s) { return svs_explain_end(s->graph); }
static svs_status explain_end_running(setting *s) { return stage_running(s, explain_end_graph); }

static svs_status begin_inside(setting *s, svs_context *context) {
    return svs_graph_begin(s->other_graph, 1, NULL, NULL);
}
static svs_status begin_in_body(setting *s) { return stage_act(s, begin_inside); }
static svs_status on_begun(setting *s, svs_status (*call)(svs_graph *graph)) {
    svs_status status = svs_graph_begin(s->other_graph, 1, NULL, NULL), ended;
    if (status) return STAGE_WRONG;
    status = call(s->other_graph);
    ended = svs_graph_wait(s->other_graph, UINT64_MAX, NULL);
    return ended ? STAGE_WRONG : status;
}
static svs_status begin_again(svs_graph *graph) { return svs_graph_begin(graph, 1, NULL, NULL); }
static svs_status begin_twice(setting *s) { return on_begun(s, begin_again); }
static svs_status run_again(svs_graph *graph) { return svs_graph_run(graph, 1, NULL); }
static svs_status run_begun(setting *s) { return on_begun(s, run_again); }
static svs_status free_it(svs_graph *graph) { return svs_graph_free(graph); }
static svs_status free_begun(setting *s) { return on_begun(s, free_it); }
static svs_status wait_for_none(setting *s) { return svs_graph_wait(s->other_graph, 0, NULL); }
static svs_status wait_for_run(setting *s) { return svs_graph_wait(s->graph, 0, NULL); }
static svs_status wait_beside(setting *s) { return stage_beside(s, wait_for_run); }

/* ---- tasks ---- */

static svs_status try_type(setting *s, const svs_task_type *type) {
    svs_task *task = s->doer, *transform = s->doer;
    svs_status status = svs_graph_add_itemizer(s->other_graph, type, NULL, &task);
    if (svs_graph_add_transform(s->other_graph, type, NULL, NULL, &transform) != status)
        return STAGE_WRONG;
    return task || transform ? STAGE_WRONG : status;
}
/* A type with one wrong member. */
#define WRONG_TYPE(name, wrong)                                                                    \
    static svs_status name(setting *s) {                                                           \
        svs_task_type type = job_task;                                                             \
        type.wrong;                                                                                \
        return try_type(s, &type);                                                                 \
    }
WRONG_TYPE(no_name, name = NULL)
WRONG_TYPE(no_body, run = NULL)
WRONG_TYPE(large_item, item_size = SVS_ITEM_MAX + 1)
WRONG_TYPE(aligned_item, item_alignment = 64)
WRONG_TYPE(undescribed_links, link_count = 2)
WRONG_TYPE(no_footprint, touch = NULL)
WRONG_TYPE(unknown_flags, flags = 4)
static svs_status add(setting *s) {
    svs_task *task;
    return svs_graph_add_itemizer(s->graph, &job_task, NULL, &task);
}
static svs_status add_running(setting *s) { return stage_running(s, add); }
static svs_status odd_algorithm(setting *s) {
    svs_status status = svs_task_set_algorithm(s->sink, (svs_algorithm)-1);
    return status == SVS_E_INVALID ? svs_task_set_algorithm(s->sink, (svs_algorithm)9) : status;
}
static svs_status item_of_itemizer(setting *s) {
    job j = {0};
    return svs_task_set_item(s->sink, &j);
}
static svs_status set_item(setting *s) {
    job j = {0};
    return svs_task_set_item(s->doer, &j);
}
static svs_status item_running(setting *s) { return stage_running(s, set_item); }

static svs_status dropped_of_transform(setting *s) { return svs_task_set_dropped(s->doer, NULL); }
static svs_status set_dropped(setting *s) { return svs_task_set_dropped(s->sink, NULL); }
static svs_status dropped_running(setting *s) { return stage_running(s, set_dropped); }

static svs_status priority_of_transform(setting *s) { return svs_task_set_priority(s->doer, 1); }

static svs_status pin_to_none(setting *s) { return svs_task_pin(s->sink, 2); }
static svs_status pin(setting *s) { return svs_task_pin(s->sink, 1); }
static svs_status pin_running(setting *s) { return stage_running(s, pin); }
static svs_status pin_in_graph_of(svs_world *world) {
    svs_graph *graph;
    svs_task *task;
    svs_status status = STAGE_WRONG;
    if (svs_graph_new(world, NULL, &graph)) return STAGE_WRONG;
    if (!svs_graph_add_itemizer(graph, &job_task, NULL, &task)) status = svs_task_pin(task, 1);
    return svs_graph_free(graph) ? STAGE_WRONG : status;
}
static void hear(int level, const char *text, void *argument) { stage_hear(argument, text); }
static svs_status pin_external(setting *s) {
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_world *world;
    svs_status status = STAGE_WRONG;
    svs_runtime_options_init(&options);
    options.threads = 2;
    options.external_threads = true;
    options.log = hear;
    options.log_argument = s;
    if (svs_runtime_new(&options, &runtime)) return STAGE_WRONG;
    if (!svs_world_new(runtime, NULL, &world)) {
        status = pin_in_graph_of(world);
        if (svs_world_free(world)) status = STAGE_WRONG;
    }
    return svs_runtime_free(runtime) ? STAGE_WRONG : status;
}

/* ---- sources ---- */

static svs_status source_of_transform(setting *s) {
    svs_source *source;
    return svs_source_new(s->doer, 0, &source);
}
/* After the run that has an open source was cancelled, and before it ends. */
static svs_source *sources[2];
static svs_status source_of_cancelled(setting *s, svs_context *context) {
    if (svs_graph_cancel(s->graph, STAGE_WRONG + 1)) return STAGE_WRONG;
    return svs_source_new(s->sink, 0, &sources[1]);
}
static svs_status source_cancelled(setting *s) {
    svs_status status;
    s->act = source_of_cancelled;
    status = svs_graph_run(s->graph, 1, NULL);
    s->act = NULL;
    return status == STAGE_WRONG + 1 ? s->answer : STAGE_WRONG;
}
/* `sink` has ended, and a source keeps another task open. */
static svs_status source_too_late(setting *s) {
    svs_status status;
    if (svs_graph_set_independent(s->graph, s->sink, s->stranger) ||
        svs_source_new(s->stranger, 0, &sources[0]) || svs_graph_begin(s->graph, 1, NULL, NULL))
        return STAGE_WRONG;
    do {
        status = svs_source_new(s->sink, 0, &sources[1]);
        if (!status && svs_source_free(sources[1])) return STAGE_WRONG;
    } while (!status && svs_graph_wait(s->graph, 0, NULL) == SVS_E_BUSY);
    if (svs_source_free(sources[0]) || svs_graph_wait(s->graph, UINT64_MAX, NULL))
        return STAGE_WRONG;
    return status;
}
/* A source of the sink, with room for two. */
static svs_status with_source(setting *s, const void *items, size_t count, size_t size) {
    svs_source *source;
    svs_status status;
    if (svs_source_new(s->sink, 2, &source)) return STAGE_WRONG;
    status = svs_source_send(source, items, count, size, 0);
    return svs_source_free(source) ? STAGE_WRONG : status;
}
static const job three[3] = {{1}, {1}, {1}};
static svs_status source_wrong_size(setting *s) { return with_source(s, three, 1, 2); }
static svs_status source_too_many(setting *s) { return with_source(s, three, 3, sizeof(job)); }
static svs_status free_with_source(setting *s) {
    svs_source *source;
    svs_status status;
    if (svs_source_new(s->sink, 0, &source)) return STAGE_WRONG;
    status = svs_graph_free(s->graph);
    return svs_source_free(source) ? STAGE_WRONG : status;
}

/* ---- edges ---- */

static svs_status edge_to_itself(setting *s) {
    return svs_graph_add_order(s->graph, s->doer, s->doer);
}
static svs_status edge_to_another_graph(setting *s) {
    return svs_graph_set_independent(s->graph, s->doer, s->foreign_task);
}
static svs_status order_across_graphs(setting *s) {
    return svs_graph_add_order(s->graph, s->foreign_task, s->doer);
}
static svs_status sends_across_graphs(setting *s) {
    return svs_graph_add_flow(s->graph, s->doer, s->foreign_task);
}
static svs_status sends_to_itself(setting *s) {
    return svs_graph_add_flow(s->graph, s->doer, s->doer);
}
static svs_status send_to_transform(setting *s) {
    return svs_graph_add_flow(s->graph, s->sink, s->doer);
}
static svs_status edge(setting *s) { return svs_graph_add_order(s->graph, s->doer, s->stranger); }
static svs_status edge_running(setting *s) { return stage_running(s, edge); }

/* ---- sends from outside ---- */

static const job one = {1};
static svs_status send_to_another_graph(setting *s) {
    return svs_graph_send(s->graph, s->foreign_task, &one, 1, sizeof one);
}
static svs_status send_item_to_transform(setting *s) {
    return svs_graph_send(s->graph, s->doer, &one, 1, sizeof one);
}
static svs_status send_other_size(setting *s) {
    return svs_graph_send(s->graph, s->sink, &one, 1, sizeof one + 1);
}
static svs_status send_too_many(setting *s) {
    return svs_graph_send(s->graph, s->sink, &one, SIZE_MAX / 8, sizeof one);
}
static svs_status send(setting *s) {
    return svs_graph_send(s->graph, s->sink, &one, 1, sizeof one);
}
static svs_status send_running(setting *s) { return stage_running(s, send); }

/* ---- runs ---- */

static svs_status run(setting *s) { return svs_graph_run(s->graph, 1, NULL); }
static svs_status run_running(setting *s) { return stage_beside(s, run); }
static svs_status run_other(setting *s, svs_context *context) {
    return svs_graph_run(s->other_graph, 1, NULL);
}
static svs_status run_in_body(setting *s) { return stage_act(s, run_other); }
static svs_status run_in_async(setting *s) { return stage_in_async(s, run); }
static svs_status run_by_detour(setting *s) { return stage_by_detour(s, run); }
static svs_status run_cycle(setting *s) {
    svs_task *a, *b;
    svs_status status = svs_graph_add_itemizer(s->other_graph, &job_task, NULL, &a);
    if (!status) status = svs_graph_add_itemizer(s->other_graph, &job_task, NULL, &b);
    if (!status) status = svs_graph_add_order(s->other_graph, a, b);
    if (!status) status = svs_graph_add_order(s->other_graph, b, a);
    return status ? status : svs_graph_run(s->other_graph, 1, NULL);
}

/* Runs a graph on a runtime of its own, before the start or after the stop. */
static svs_status run_on_another(setting *s, bool stopped) {
    svs_world *world = NULL;
    svs_graph *graph = NULL;
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_report report = {0};
    svs_status status;
    svs_runtime_options_init(&options);
    options.log = hear;
    options.log_argument = s;
    status = svs_runtime_new(&options, &runtime);
    if (!status) status = svs_world_new(runtime, NULL, &world);
    if (!status) status = svs_graph_new(world, NULL, &graph);
    if (!status && stopped) status = svs_runtime_start(runtime);
    if (!status && stopped) status = svs_runtime_stop(runtime);
    if (!status) status = svs_graph_run(graph, 1, &report);
    if (report.status != status || !report.text[0]) status = STAGE_WRONG;
    svs_ignore(svs_graph_free(graph));
    svs_ignore(svs_world_free(world));
    svs_ignore(svs_runtime_free(runtime));
    return status;
}
static svs_status run_unstarted(setting *s) { return run_on_another(s, false); }
static svs_status run_stopped(setting *s) { return run_on_another(s, true); }

static bool step_nothing(svs__job *of, svs__worker *worker) { return false; }
static bool never_ready(svs__job *of) { return false; }
static svs_status run_one_more(setting *s) {
    svs__job others[SVS__JOBS_MAX];
    uint32_t count = 0;
    svs_status status = SVS_OK;
    for (; count < SVS__JOBS_MAX && !status; count++) {
        others[count] = (svs__job){.step = step_nothing, .ready = never_ready};
        status = svs__runtime_attach(s->runtime, &others[count]);
    }
    if (!status) status = run(s);
    while (count > 0) svs__runtime_detach(s->runtime, &others[--count]);
    return status;
}

static svs_status draw_to_no_folder(setting *s) {
    return svs_graph_dot(s->graph, "/no/such/folder/graph.dot");
}
static svs_status draw(setting *s) { return svs_graph_dot(s->graph, "/no/such/folder/graph.dot"); }
static svs_status draw_running(setting *s) { return stage_running(s, draw); }

const misuse misuses_of_graphs[] = {
    {"svs_graph_new: options that svs_graph_options_init() has not filled", SVS_E_VERSION,
     "svs_graph_new: options of another version: fill them with svs_graph_options_init()", unfilled,
     false},
    {"svs_graph_new: an unknown algorithm", SVS_E_INVALID,
     "svs_graph_new: an unknown algorithm: choose one of svs_algorithm", unknown_algorithm, false},
    {"svs_for_each_with: options that svs_for_each_options_init() has not filled", SVS_E_VERSION,
     "svs_for_each_with: options of another version: fill them with svs_for_each_options_init()",
     loop_unfilled, false},
    {"svs_for_each_with: an unknown algorithm", SVS_E_INVALID,
     "svs_for_each_with: an unknown algorithm: choose one of svs_algorithm", loop_unknown, false},
    {"svs_graph_free: while it runs", SVS_E_BUSY,
     "svs_graph_free: the graph is running: call it before or after the run", free_running, false},
    {"a task type without a name", SVS_E_TYPE,
     "a task type without a name: describe it with SVS_TASK", no_name, false},
    {"a task without a body", SVS_E_TYPE, "a task without a body: give its type a run function",
     no_body, false},
    {"an item larger than SVS_ITEM_MAX", SVS_E_TYPE,
     "an item larger than SVS_ITEM_MAX: send a pointer", large_item, false},
    {"an item of an alignment above 16", SVS_E_TYPE,
     "an item of an alignment above 16: send a pointer", aligned_item, false},
    {"a task with links in its item that are not described", SVS_E_TYPE,
     "links that are not described: use SVS_TASK_REACH, or no links", undescribed_links, false},
    {"a task without a footprint", SVS_E_TYPE,
     "neither a touch function nor links: give its type one of the two", no_footprint, false},
    {"a task type with unknown flags", SVS_E_TYPE,
     "flags that this version does not know: set them to 0", unknown_flags, false},
    {"svs_graph_add_itemizer: while the graph runs", SVS_E_BUSY,
     "svs_graph_add_itemizer: the graph is running: call it before or after the run", add_running,
     false},
    {"svs_task_set_algorithm: an unknown one", SVS_E_INVALID,
     "svs_task_set_algorithm: an unknown algorithm", odd_algorithm, false},
    {"svs_task_set_item: of an itemizer", SVS_E_INVALID,
     "the task is an itemizer, which has no item of its own: send it one", item_of_itemizer, false},
    {"svs_task_set_item: while the graph runs", SVS_E_BUSY,
     "svs_task_set_item: the graph is running: call it before or after the run", item_running,
     false},
    {"svs_graph_add_order: a task and itself", SVS_E_INVALID,
     "a task and itself: name two different ones", edge_to_itself, false},
    {"svs_graph_set_independent: a task of another graph", SVS_E_WORLD,
     "a task of another graph: name two of this one", edge_to_another_graph, false},
    {"svs_graph_add_order: a task of another graph", SVS_E_WORLD,
     "svs_graph_add_order: a task of another graph", order_across_graphs, false},
    {"svs_graph_add_flow: a task of another graph", SVS_E_WORLD,
     "svs_graph_add_flow: a task of another graph", sends_across_graphs, false},
    {"svs_graph_add_flow: a transform and itself", SVS_E_INVALID,
     "svs_graph_add_flow: the consumer is a transform", sends_to_itself, false},
    {"svs_graph_add_flow: to a transform", SVS_E_INVALID,
     "the consumer is a transform, which receives nothing: make it an itemizer", send_to_transform,
     false},
    {"svs_graph_add_order: while the graph runs", SVS_E_BUSY,
     "svs_graph_add_order: the graph is running: call it before or after the run", edge_running,
     false},
    {"svs_graph_send: a task of another graph", SVS_E_WORLD,
     "svs_graph_send: a task of another graph: send through its own", send_to_another_graph, false},
    {"svs_graph_send: to a transform", SVS_E_INVALID,
     "the consumer is a transform: set its item with svs_task_set_item()", send_item_to_transform,
     false},
    {"svs_graph_send: items of another size", SVS_E_INVALID,
     "an item of 5 bytes, but those of job have 4: pass sizeof one item", send_other_size, false},
    {"svs_graph_send: more than 2^31 items at once", SVS_E_LIMIT,
     "svs_graph_send: more than 2^31 items: run the graph in between", send_too_many, false},
    {"svs_graph_send: while the graph runs", SVS_E_BUSY,
     "svs_graph_send: the graph is running: call it before or after the run", send_running, false},
    {"svs_graph_run: it runs already", SVS_E_BUSY, "it runs already: wait for the end of that run",
     run_running, false},
    {"svs_graph_run: from a body", SVS_E_NESTED,
     "A graph was run from a task body; run it from outside, or send to its tasks", run_in_body,
     false},
    {"svs_graph_run: from an async of the same runtime", SVS_E_NESTED,
     "the graph was run from an async of its own runtime: run it from a thread outside",
     run_in_async, false},
    {"svs_graph_run: from an async of another runtime that an async of the same runtime waits for",
     SVS_E_NESTED,
     "the graph was run from an async that an async of its runtime waits for: run it from outside "
     "of "
     "both",
     run_by_detour, false},
    {"svs_graph_run: the dependencies form a cycle", SVS_E_CYCLE,
     "the dependencies form a cycle (each waits for the next): job <- job <- job", run_cycle,
     false},
    {"svs_graph_run: before svs_runtime_start()", SVS_E_NOT_STARTED,
     "svs_graph_run(graph): SVS_E_NOT_STARTED: The runtime has not been started", run_unstarted,
     false},
    {"svs_graph_run: after svs_runtime_stop()", SVS_E_STOPPED,
     "svs_graph_run(graph): SVS_E_STOPPED: The runtime was stopped", run_stopped, false},
    {"svs_graph_run: more than 64 runs at once", SVS_E_LIMIT,
     "64 runs are going on in the runtime: wait for the end of one of them", run_one_more, false},
    {"svs_graph_dot: a file that cannot be written", SVS_E_FILE,
     "svs_graph_dot: /no/such/folder/graph.dot cannot be written", draw_to_no_folder, false},
    {"svs_graph_dot: while the graph runs", SVS_E_BUSY,
     "svs_graph_dot: the graph is running: call it before or after the run", draw_running, false},
    {"svs_explain_begin: while it runs", SVS_E_BUSY, "svs_explain_begin: the graph is running",
     explain_begin_running, false},
    {"svs_explain: while it runs", SVS_E_BUSY, "svs_explain: the graph is running", explain_running,
     false},
    {"svs_explain: no sample was begun", SVS_E_STATE,
     "there is no sample: call svs_explain_begin() before a run", explain_unsampled, false},
    {"svs_explain_end: while it runs", SVS_E_BUSY, "svs_explain_end: the graph is running",
     explain_end_running, false},
    {"svs_graph_begin: from a body", SVS_E_NESTED, "svs_graph_begin(graph): SVS_E_NESTED",
     begin_in_body, false},
    {"svs_graph_begin: it was begun already", SVS_E_BUSY,
     "it was begun already: wait with svs_graph_wait()", begin_twice, false},
    {"svs_graph_run: it was begun already", SVS_E_BUSY,
     "an earlier run was not waited for: call svs_graph_wait() first", run_begun, false},
    {"svs_graph_free: it was begun, and not waited for", SVS_E_BUSY,
     "svs_graph_free: a run of the graph was not waited for: call svs_graph_wait() first",
     free_begun, false},
    {"svs_graph_wait: no run of it was begun", SVS_E_STATE,
     "no run of it was begun: call svs_graph_begin()", wait_for_none, false},
    {"svs_graph_wait: it runs in svs_graph_run()", SVS_E_STATE,
     "it runs in svs_graph_run(): that call gives its status", wait_beside, false},
    {"svs_task_set_dropped: a transform", SVS_E_INVALID,
     "svs_task_set_dropped: the task is a transform, which keeps its item", dropped_of_transform,
     false},
    {"svs_task_set_dropped: while the graph runs", SVS_E_BUSY,
     "svs_task_set_dropped: the graph is running", dropped_running, false},
    {"svs_source_new: for a transform", SVS_E_INVALID,
     "svs_source_new to job: the task is a transform, which receives nothing", source_of_transform,
     false},
    {"svs_source_new: the run was cancelled", SVS_E_CANCELLED,
     "svs_source_new to job: The run was cancelled", source_cancelled, false},
    {"svs_source_new: the task has ended in this iteration", SVS_E_STATE,
     "svs_source_new to job: the task has ended in this iteration", source_too_late, false},
    {"svs_source_send: a wrong item size", SVS_E_INVALID,
     "svs_source_send to job: an item of 2 bytes, but the task's items have 4", source_wrong_size,
     false},
    {"svs_source_send: more items than the limit", SVS_E_LIMIT,
     "svs_source_send to job: more items than the limit of the source", source_too_many, false},
    {"svs_graph_free: sources are left", SVS_E_BUSY,
     "svs_graph_free: sources of its tasks are left", free_with_source, false},
    {"svs_task_set_priority: a transform", SVS_E_INVALID,
     "svs_task_set_priority: the task is a transform", priority_of_transform, false},
    {"svs_task_pin: to a worker that there is not", SVS_E_INVALID,
     "svs_task_pin: no worker has this number: pass 0", pin_to_none, false},
    {"svs_task_pin: to a worker of a runtime with external_threads", SVS_E_INVALID,
     "svs_task_pin: with external threads any thread may become that worker", pin_external, false},
    {"svs_task_pin: while the graph runs", SVS_E_BUSY, "svs_task_pin: the graph is running",
     pin_running, false},
    {NULL, 0, NULL, NULL, false}};
