/* Random sequences of the calls of a graph, between its runs and alongside them. Each item that was
 * sent runs once, and no call meets what an earlier one has freed. */
#include "support.h"

#include "base/random.h"
#include <svs/explain.h>

enum { TASKS = 8, CELLS = 16, CALLS = 60, LIMIT = 5, FAILED = 7 };

typedef struct member {
    svs_task *task, *consumers[2 * TASKS];
    uint32_t consumer_count;
    bool transform;
    svs_source *source;
} member;

static struct {
    support s;
    svs__random random;
    svs_graph *graph;
    member members[TASKS];
    uint32_t count;
    uint64_t due; /* number of items that run next */
    bool samples; /* from svs_explain_begin() to svs_explain_end() */
} the;
static uint64_t cells[CELLS];
static atomic_uint ran, dropped;

static uint32_t below(uint32_t n) { return (uint32_t)svs__random_below(&the.random, n); }

/* ---- the task ---- */

typedef struct job {
    uint32_t cell;
    bool fails;
} job;

static void job_touch(svs_footprint *f, const job *j) { svs_writes(f, &cells[j->cell]); }
static svs_status job_run(svs_context *context, job *j) {
    const member *m = svs_context_argument(context);
    svs_status status = SVS_OK;
    ran++;
    cells[j->cell]++;
    for (uint32_t i = 0; i < m->consumer_count && m->transform && !status; i++) {
        job sent = {(j->cell + i) % CELLS, false};
        status = svs_send(context, m->consumers[i], &sent, 1, sizeof sent);
    }
    return j->fails ? (svs_status)FAILED : status;
}
SVS_TASK(job, job_run, job_touch)

static job any_job(void) { return (job){below(CELLS), false}; }
static void drop(void *item, void *argument) {
    (void)item, (void)argument;
    dropped++;
}
static void make(void *items, uint32_t first, uint32_t count, void *argument) {
    job *j = items;
    for (uint32_t i = 0; i < count; i++) j[i] = (job){(first + i) % CELLS, false};
}

/* ---- what is called ---- */

static member *any_member(bool transform) {
    uint32_t from = below(TASKS);
    for (uint32_t i = 0; i < the.count; i++) {
        member *m = &the.members[(from + i) % the.count];
        if (m->transform == transform) return m;
    }
    return NULL;
}

/* Two tasks in the order in which they were added. */
static bool any_pair(member **a, member **b) {
    uint32_t at = the.count > 1 ? below(the.count - 1) : 0;
    if (the.count < 2) return false;
    *a = &the.members[at];
    *b = &the.members[at + 1 + below(the.count - at - 1)];
    return true;
}

/* Each returns NOTHING if there was nothing to call it for. */
#define NOTHING ((svs_status)100)
static svs_status add_transform(void) {
    member *m = &the.members[the.count];
    job item = any_job();
    if (the.count == TASKS) return NOTHING;
    *m = (member){.transform = true};
    support_ok(svs_graph_add_transform(the.graph, &job_task, &item, m, &m->task));
    the.count++;
    return SVS_OK;
}
static svs_status add_itemizer(void) {
    member *m = &the.members[the.count];
    if (the.count == TASKS) return NOTHING;
    *m = (member){.transform = false};
    support_ok(svs_graph_add_itemizer(the.graph, &job_task, m, &m->task));
    the.count++;
    return SVS_OK;
}
static svs_status add_flow(void) {
    member *a, *b;
    if (!any_pair(&a, &b) || b->transform || a->consumer_count == 2 * TASKS) return NOTHING;
    support_ok(svs_graph_add_flow(the.graph, a->task, b->task));
    a->consumers[a->consumer_count++] = b->task;
    return SVS_OK;
}
static svs_status add_order(void) {
    member *a, *b;
    return any_pair(&a, &b) ? svs_graph_add_order(the.graph, a->task, b->task) : NOTHING;
}
static svs_status set_independent(void) {
    member *a, *b;
    return any_pair(&a, &b) ? svs_graph_set_independent(the.graph, a->task, b->task) : NOTHING;
}
static svs_status set_algorithm(void) {
    member *m = any_member(below(2));
    return m ? svs_task_set_algorithm(m->task, (svs_algorithm)below(5)) : NOTHING;
}
static svs_status pin(void) {
    static const uint32_t workers[] = {0, SVS_THE_RUNNER, SVS_NO_WORKER};
    member *m = any_member(below(2));
    return m ? svs_task_pin(m->task, workers[below(3)]) : NOTHING;
}
static svs_status set_item(void) {
    member *m = any_member(true);
    job item = any_job();
    return m ? svs_task_set_item(m->task, &item) : NOTHING;
}
static svs_status set_dropped(void) {
    member *m = any_member(false);
    return m ? svs_task_set_dropped(m->task, below(3) ? drop : NULL) : NOTHING;
}
static svs_status set_priority(void) {
    member *m = any_member(false);
    return m ? svs_task_set_priority(m->task, (int32_t)below(3)) : NOTHING;
}
static svs_status set_graph_priority(void) {
    return svs_graph_set_priority(the.graph, (int32_t)below(3));
}
static svs_status send_items(void) {
    job jobs[40];
    uint32_t count = below(40);
    member *m = any_member(false);
    if (!m) return NOTHING;
    for (uint32_t i = 0; i < count; i++) jobs[i] = any_job();
    support_ok(svs_graph_send(the.graph, m->task, jobs, count, sizeof *jobs));
    the.due += count;
    return SVS_OK;
}
static svs_status generate_items(void) {
    uint32_t count = below(4) ? below(40) : below(5000);
    member *m = any_member(false);
    if (!m) return NOTHING;
    support_ok(svs_graph_generate(the.graph, m->task, make, NULL, count, sizeof(job)));
    the.due += count;
    return SVS_OK;
}
static svs_status source_new(void) {
    member *m = any_member(false);
    if (!m || m->source) return NOTHING;
    return svs_source_new(m->task, below(2) ? LIMIT : 0, &m->source);
}
static svs_status source_send(void) {
    job one = any_job();
    member *m = any_member(false);
    svs_status status;
    if (!m || !m->source) return NOTHING;
    status = svs_source_send(m->source, &one, 1, sizeof one, 0);
    the.due += status == SVS_OK;
    return status;
}
static svs_status source_free(void) {
    member *m = any_member(false);
    if (!m || !m->source) return NOTHING;
    support_ok(svs_source_free(m->source));
    m->source = NULL;
    return SVS_OK;
}
static svs_status statistics_get(void) {
    svs_graph_statistics statistics;
    return svs_graph_statistics_get(the.graph, &statistics);
}
static svs_status statistics_reset(void) { return svs_graph_statistics_reset(the.graph); }
static svs_status progress(void) {
    svs_progress now;
    return svs_graph_progress(the.graph, &now);
}
static svs_status dot(void) { return svs_graph_dot(the.graph, "/dev/null"); }
static svs_status explain_begin(void) {
    the.samples = true;
    return svs_explain_begin(the.graph, below(100));
}
static svs_status explain(void) {
    static char text[1 << 16];
    return the.samples ? svs_explain(the.graph, text, sizeof text) : NOTHING;
}
static svs_status explain_end(void) {
    the.samples = false;
    return svs_explain_end(the.graph);
}

/* ---- runs ---- */

static void free_sources(void) {
    for (uint32_t i = 0; i < the.count; i++) {
        support_ok(svs_source_free(the.members[i].source));
        the.members[i].source = NULL;
    }
}

/* The number of instances of the transforms in an iteration, and of what they send. */
static uint64_t of_transforms(void) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < the.count; i++)
        if (the.members[i].transform) count += 1 + the.members[i].consumer_count;
    return count;
}

static void check_run(svs_status status, uint32_t iterations, svs_status failure) {
    uint64_t all = the.due + iterations * of_transforms();
    the.due = 0;
    if (status == SVS_OK) assert_int_equal(ran, all);
    else assert_int_equal(status, failure);
    assert_true(ran + dropped <= all);
    ran = dropped = 0;
}

static svs_status run(void) {
    uint32_t iterations = 1 + below(3);
    free_sources();
    check_run(svs_graph_run(the.graph, iterations, NULL), iterations, SVS_OK);
    return SVS_OK;
}
static svs_status run_and_fail(void) {
    job one = {below(CELLS), true};
    member *m = any_member(false);
    svs_status status;
    if (!m) return NOTHING;
    free_sources();
    support_ok(svs_graph_send(the.graph, m->task, &one, 1, sizeof one));
    the.due++;
    status = svs_graph_run(the.graph, 1, NULL);
    assert_int_equal(status, FAILED);
    check_run(status, 1, (svs_status)FAILED);
    return SVS_OK;
}
static svs_status begin_and_wait(void);
static svs_status begin_and_cancel(void);

/* ---- sequences ---- */

static const struct call {
    const char *name;
    svs_status (*call)(void);
    uint32_t weight;
    bool alongside;        /* it may be called while the graph runs */
    svs_status may_return; /* besides SVS_OK */
} calls[] = {
    {"svs_graph_add_transform", add_transform, 2, false, SVS_OK},
    {"svs_graph_add_itemizer", add_itemizer, 4, false, SVS_OK},
    {"svs_graph_add_flow", add_flow, 2, false, SVS_OK},
    {"svs_graph_add_order", add_order, 1, false, SVS_OK},
    {"svs_graph_set_independent", set_independent, 1, false, SVS_OK},
    {"svs_task_set_algorithm", set_algorithm, 1, false, SVS_OK},
    {"svs_task_pin", pin, 1, false, SVS_OK},
    {"svs_task_set_item", set_item, 1, false, SVS_OK},
    {"svs_task_set_dropped", set_dropped, 1, false, SVS_OK},
    {"svs_task_set_priority", set_priority, 1, true, SVS_OK},
    {"svs_graph_set_priority", set_graph_priority, 1, true, SVS_OK},
    {"svs_graph_send", send_items, 4, false, SVS_OK},
    {"svs_graph_generate", generate_items, 3, false, SVS_OK},
    {"svs_source_new", source_new, 2, false, SVS_OK},
    {"svs_source_send", source_send, 4, true, SVS_E_FULL},
    {"svs_source_free", source_free, 1, true, SVS_OK},
    {"svs_graph_statistics_get", statistics_get, 1, false, SVS_OK},
    {"svs_graph_statistics_reset", statistics_reset, 1, false, SVS_OK},
    {"svs_graph_progress", progress, 1, true, SVS_OK},
    {"svs_graph_dot", dot, 1, false, SVS_OK},
    {"svs_explain_begin", explain_begin, 1, false, SVS_OK},
    {"svs_explain", explain, 2, false, SVS_OK},
    {"svs_explain_end", explain_end, 1, false, SVS_OK},
    {"svs_graph_run", run, 4, false, SVS_OK},
    {"a run that fails", run_and_fail, 1, false, SVS_OK},
    {"svs_graph_begin, svs_graph_wait", begin_and_wait, 2, false, SVS_OK},
    {"svs_graph_cancel", begin_and_cancel, 1, false, SVS_E_STATE}, /* the run has ended */
};
#define COUNT (sizeof calls / sizeof *calls)
static uint32_t made_well[COUNT];

static void call_one(bool alongside) {
    uint32_t all = 0, at, i = 0;
    svs_status status;
    for (uint32_t k = 0; k < COUNT; k++)
        all += alongside && !calls[k].alongside ? 0 : calls[k].weight;
    for (at = below(all);; i++) {
        uint32_t weight = alongside && !calls[i].alongside ? 0 : calls[i].weight;
        if (at < weight) break;
        at -= weight;
    }
    status = calls[i].call();
    made_well[i] += status == SVS_OK;
    if (status != SVS_OK && status != NOTHING && status != calls[i].may_return)
        fail_msg("%s returns %s", calls[i].name, svs_status_name(status));
}

static svs_status begin(bool cancels) {
    uint32_t iterations = 1 + below(2);
    svs_status status = SVS_OK;
    support_ok(svs_graph_begin(the.graph, iterations, NULL, NULL));
    for (uint32_t i = below(10); i; i--) call_one(true);
    if (cancels) status = svs_graph_cancel(the.graph, SVS_OK);
    free_sources();
    check_run(svs_graph_wait(the.graph, UINT64_MAX, NULL), iterations,
              cancels && !status ? SVS_E_CANCELLED : SVS_OK);
    return status;
}
static svs_status begin_and_wait(void) { return begin(false); }
static svs_status begin_and_cancel(void) { return begin(true); }

static void run_sequence(uint32_t seed) {
    svs__random_seed(&the.random, seed);
    support_open(&the.s, 1 + seed % 3);
    support_ok(svs_graph_new(the.s.world, NULL, &the.graph));
    the.count = 0;
    the.due = 0;
    the.samples = false;
    ran = dropped = 0;
    for (uint32_t i = 0; i < CALLS; i++) call_one(false);
    free_sources();
    support_ok(svs_graph_free(the.graph));
    support_close(&the.s);
}

TEST_CASE(calls_in_any_order_leave_no_item_out) {
    uint32_t count = (uint32_t)support_scaled(1000);
    for (uint32_t seed = 0; seed < count; seed++) run_sequence(seed);
    for (uint32_t i = 0; i < COUNT; i++)
        if (!made_well[i]) fail_msg("%s was never called well", calls[i].name);
}

int main(void) { return run_cases(NULL, NULL); }
