/* Shared by the cases: the doer, and the places that commit misuse. */
#include "misuse.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- the doer ---- */

static setting *current;

static svs_status job_run(svs_context *context, void *item) {
    setting *s = svs_context_argument(context);
    if (!s || !s->act) return SVS_OK;
    s->answer = s->act(s, context);
    /* Only one that is no status is left for the run to answer. */
    return strcmp(svs_status_name(s->answer), "unknown") == 0 ? s->answer : SVS_OK;
}

static void job_touch(svs_footprint *f, const void *item) {
    if (((const job *)item)->number != 0) return; /* the sinks' */
    if (current->touch) current->touch(current, f);
    else svs_writes_object(f, &current->mine->svs);
}

const svs_task_type job_task = {
    "job", sizeof(job), sizeof(uint32_t), job_run, job_touch, NULL, 0, 0, NULL, NULL};

/* ---- the setting ---- */

static atomic_long blocks;
static pthread_mutex_t hearing = PTHREAD_MUTEX_INITIALIZER;

static void *take(size_t size, size_t alignment, uint32_t worker, void *argument) {
    atomic_fetch_add(&blocks, 1);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give_back(void *memory, size_t size, size_t alignment, uint32_t worker,
                      void *argument) {
    atomic_fetch_sub(&blocks, 1);
    free(memory);
}

void stage_hear(setting *s, const char *line) {
    size_t used;
    pthread_mutex_lock(&hearing);
    used = strlen(s->said);
    (void)snprintf(s->said + used, sizeof s->said - used, "%s\n", line);
    pthread_mutex_unlock(&hearing);
}

static void hear(int level, const char *text, void *argument) {
    if (level != SVS_LOG_INFO) stage_hear(argument, text);
}

/* Set-up of the setting must not fail. */
static void must(svs_status status) {
    if (status) abort();
}

void stage_open(setting *s) {
    svs_runtime_options options;
    memset(s, 0, sizeof *s);
    current = s;
    svs_runtime_options_init(&options);
    options.threads = 2;
    options.allocator = (svs_allocator){take, give_back, NULL};
    options.log = hear;
    options.log_argument = s;
    must(svs_runtime_new(&options, &s->runtime));
    must(svs_runtime_start(s->runtime));
    must(svs_world_new(s->runtime, NULL, &s->world));
    must(svs_world_new(s->runtime, NULL, &s->other_world));
    must(svs_object_new(s->world, &node_type, (void **)&s->mine));
    must(svs_object_new(s->other_world, &node_type, (void **)&s->foreign));
    must(svs_space_new(s->world, "ten", 10, &s->space));
    must(svs_graph_new(s->world, NULL, &s->graph));
    must(svs_graph_new(s->world, NULL, &s->other_graph));
    must(svs_graph_add_transform(s->graph, &job_task, NULL, s, &s->doer));
    must(svs_graph_add_itemizer(s->graph, &job_task, NULL, &s->sink));
    must(svs_graph_add_itemizer(s->graph, &job_task, NULL, &s->stranger));
    must(svs_graph_add_itemizer(s->other_graph, &job_task, NULL, &s->foreign_task));
    must(svs_graph_add_flow(s->graph, s->doer, s->sink));
}

const char *stage_close(setting *s) {
    const char *wrong = NULL;
    svs_graph_statistics statistics;
    svs_ignore(svs_graph_statistics_reset(s->graph));
    if (svs_graph_run(s->graph, 1, NULL)) wrong = "the graph does not run any more";
    must(svs_graph_statistics_get(s->graph, &statistics));
    if (statistics.instances != 1) wrong = "an item was sent all the same";
    if (s->mine->a || s->mine->b) wrong = "a link was made all the same";
    if (svs_graph_free(s->graph) || svs_graph_free(s->other_graph)) wrong = "a graph is not freed";
    svs_ignore(svs_space_free(s->space));
    if (svs_world_free(s->world) || svs_world_free(s->other_world)) wrong = "a world is not freed";
    if (svs_runtime_free(s->runtime)) wrong = "the runtime is not freed";
    if (!wrong && atomic_load(&blocks) != 0) wrong = "memory is lost";
    return wrong;
}

/* ---- places to commit from ---- */

svs_status stage_act(setting *s, misuse_act *act) {
    svs_status status;
    s->act = act;
    s->answer = STAGE_WRONG;
    status = svs_graph_run(s->graph, 1, NULL);
    s->act = NULL;
    return status == SVS_OK ? s->answer : STAGE_WRONG;
}

static svs_status run_reported(setting *s) {
    svs_report report;
    svs_status status = svs_graph_run(s->graph, 1, &report);
    return report.status == status && strcmp(report.task, "job") == 0 ? status : STAGE_WRONG;
}

svs_status stage_fail(setting *s, misuse_act *act) {
    svs_status status;
    s->act = act;
    status = run_reported(s);
    s->act = NULL;
    return s->answer == status ? status : STAGE_WRONG;
}

svs_status stage_touch(setting *s, misuse_touch *touch) {
    svs_status status;
    s->touch = touch;
    status = run_reported(s);
    s->touch = NULL;
    return status;
}

typedef struct beside {
    setting *s;
    svs_status (*call)(setting *s);
    svs_status answer;
} beside;

static beside other;

static void *call_beside(void *unused) {
    other.answer = other.call(other.s);
    return unused;
}

static svs_status while_it_runs(setting *s, svs_context *context) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, call_beside, NULL)) return 1;
    pthread_join(thread, NULL);
    return other.answer;
}

svs_status stage_beside(setting *s, svs_status (*call)(setting *s)) {
    other = (beside){s, call, STAGE_WRONG};
    return stage_act(s, while_it_runs);
}

static svs_status in_both(setting *s, svs_context *context) {
    svs_status status = other.call(s);
    return while_it_runs(s, context) == status ? status : STAGE_WRONG;
}

svs_status stage_running(setting *s, svs_status (*call)(setting *s)) {
    other = (beside){s, call, STAGE_WRONG};
    return stage_act(s, in_both);
}

static void call_in_async(svs_async_context *async, void *argument) {
    beside *b = argument;
    b->answer = b->call(b->s);
}

svs_status stage_in_async(setting *s, svs_status (*call)(setting *s)) {
    beside b = {s, call, STAGE_WRONG};
    svs_status status = svs_async_run(s->runtime, call_in_async, &b);
    return status ? status : b.answer;
}
