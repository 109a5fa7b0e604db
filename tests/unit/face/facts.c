/* What `svs scan` has found of task types, in a graph: independence, and what touch functions
 * read (sched.T8). The facts are written here as the tool writes them. */
#include "support.h"

static struct {
    atomic_int begun[4];
    atomic_int met, writing, torn;
    int value, other[4]; /* by address */
} play;

typedef struct part {
    int number, meets;
} part;

static void part_touch(svs_footprint *f, const part *p) { svs_writes(f, &play.other[p->number]); }
/* Waits for the other to begin, which it does only if both are open. */
static svs_status part_run(svs_context *context, part *p) {
    (void)context;
    atomic_fetch_add(&play.begun[p->number], 1);
    if (p->meets >= 0 && support_comes(&play.begun[p->meets], 1)) atomic_fetch_add(&play.met, 1);
    return SVS_OK;
}
SVS_TASK(part, part_run, part_touch)

/* Writes what the touch function of a reader reads. */
static svs_status write_run(svs_context *context, part *p) {
    (void)context;
    atomic_store(&play.writing, 1);
    atomic_fetch_add(&play.begun[p->number], 1);
    play.value++;
    if (p->meets >= 0) (void)support_comes(&play.begun[p->meets], 1);
    for (volatile int i = 0; i < 20000; i = i + 1) continue;
    atomic_store(&play.writing, 0);
    return SVS_OK;
}
static void read_touch(svs_footprint *f, const part *p) {
    if (atomic_load(&play.writing)) atomic_fetch_add(&play.torn, 1);
    svs_writes(f, &play.other[p->number]);
}
static svs_status nothing_run(svs_context *context, part *p) {
    (void)context, (void)p;
    return SVS_OK;
}
static void write_touch(svs_footprint *f, const part *p) {
    svs_writes(f, &play.value);
    svs_writes(f, &play.other[p->number]);
}
SVS_TASK(write, part, write_run, write_touch)
SVS_TASK(read, part, nothing_run, read_touch)

/* A type with facts, under a name of its own. */
static svs_task_type with_facts(const svs_task_type *type, const char *name,
                                const svs__task_facts *facts) {
    svs_task_type made = *type;
    made.name = name;
    made.facts = facts;
    return made;
}

static const char *const of_a[] = {"a", NULL}, *const of_b[] = {"b", NULL};
static const char *const of_write[] = {"write", NULL}, *const of_read[] = {"read", NULL};
static const svs__task_facts a_facts = {of_b, NULL}, b_facts = {of_a, NULL};
static const svs__task_facts other_facts = {of_read, NULL};
static const svs__task_facts reads = {NULL, of_write}, reads_own = {NULL, of_read};

static int clear_play(void **state) {
    memset(&play, 0, sizeof play);
    return 0;
}

static uint64_t refined_of(svs_graph *graph) {
    svs_graph_statistics statistics;
    support_ok(svs_graph_statistics_get(graph, &statistics));
    return statistics.refined;
}

/* Two transforms that wait for each other, and would conflict by their sets. */
SUPPORT_GRAPH_CASE(independent_types_need_no_implicit_dependency, 2) {
    svs_task_type a = with_facts(&part_task, "a", &a_facts),
                  b = with_facts(&part_task, "b", &b_facts);
    svs_task *tasks[2];
    support_ok(svs_graph_add_transform(graph, &a, &(part){0, 1}, NULL, &tasks[0]));
    support_ok(svs_graph_add_transform(graph, &b, &(part){1, 0}, NULL, &tasks[1]));
    support_ok(svs_graph_run(graph, 1, NULL));
    assert_int_equal(atomic_load(&play.met), 2);
    assert_int_equal(refined_of(graph), 0);
}

SUPPORT_GRAPH_CASE(independence_needs_both_types_to_name_each_other, 2) {
    svs_task_type a = with_facts(&part_task, "a", &a_facts),
                  b = with_facts(&part_task, "b", &other_facts);
    svs_task *tasks[2];
    support_ok(svs_graph_add_transform(graph, &a, &(part){0, -1}, NULL, &tasks[0]));
    support_ok(svs_graph_add_transform(graph, &b, &(part){1, -1}, NULL, &tasks[1]));
    support_ok(svs_graph_run(graph, 1, NULL));
    assert_int_equal(refined_of(graph), 1);
}

/* The sets of the two are disjoint, so that refinement would remove the dependency. */
SUPPORT_CASE(a_touch_function_that_reads_what_an_unordered_body_writes_waits_for_its_end, 2) {
    for (int readers_first = 0; readers_first < 2; readers_first++) {
        svs_graph *graph = support_graph(s);
        (void)clear_play(NULL);
        svs_task_type reader = with_facts(&read_task, "read", &reads);
        svs_task *task;
        for (int i = 0; i < 2; i++)
            support_ok(svs_graph_add_transform(graph, i == readers_first ? &write_task : &reader,
                                               &(part){i, -1}, NULL, &task));
        support_ok(svs_graph_run(graph, 50, NULL));
        assert_int_equal(refined_of(graph), 0);
        assert_int_equal(atomic_load(&play.torn), 0);
        support_ok(svs_graph_free(graph));
    }
}

/* A third task opens while the writer runs, and refinement compares it with its children. */
SUPPORT_GRAPH_CASE(a_third_task_does_not_call_the_touch_function_of_a_reader_before_it_opens, 2) {
    svs_task_type reader = with_facts(&read_task, "read", &reads);
    svs_task *writer, *before, *third, *read;
    support_ok(svs_graph_add_transform(graph, &write_task, &(part){0, 2}, NULL, &writer));
    support_ok(svs_graph_add_transform(graph, &part_task, &(part){1, 0}, NULL, &before));
    support_ok(svs_graph_add_transform(graph, &part_task, &(part){2, -1}, NULL, &third));
    support_ok(svs_graph_add_transform(graph, &reader, &(part){3, -1}, NULL, &read));
    support_ok(svs_graph_add_order(graph, writer, read));
    support_ok(svs_graph_add_order(graph, before, third));
    support_ok(svs_graph_add_order(graph, before, read)); /* so that only the third is compared */
    support_ok(svs_graph_run(graph, 1, NULL));
    assert_int_equal(atomic_load(&play.begun[2]), 1);
    assert_int_equal(atomic_load(&play.torn), 0);
}

static void expect_refusal(svs_graph *graph, const char *other) {
    svs_report report;
    assert_int_equal(svs_graph_run(graph, 1, &report), SVS_E_INVALID);
    assert_string_equal(report.task, "read");
    assert_non_null(strstr(report.text, "the touch function of read reads what the body of "));
    assert_non_null(strstr(report.text, other));
}

SUPPORT_GRAPH_CASE(a_reader_that_is_open_at_once_with_the_writer_is_refused, 2) {
    svs_task_type reader = with_facts(&read_task, "read", &reads);
    svs_task *writer, *read;
    support_ok(svs_graph_add_itemizer(graph, &reader, NULL, &read));
    support_ok(svs_graph_add_transform(graph, &write_task, &(part){0, -1}, NULL, &writer));
    support_ok(svs_graph_add_flow(graph, writer, read));
    expect_refusal(graph, "write");
    support_ok(svs_graph_add_order(graph, writer, read));
    support_ok(svs_graph_run(graph, 1, NULL));
}

SUPPORT_GRAPH_CASE(a_reader_that_is_declared_independent_of_the_writer_is_refused, 2) {
    svs_task_type reader = with_facts(&read_task, "read", &reads);
    svs_task *writer, *read;
    support_ok(svs_graph_add_transform(graph, &reader, &(part){1, -1}, NULL, &read));
    support_ok(svs_graph_add_transform(graph, &write_task, &(part){0, -1}, NULL, &writer));
    support_ok(svs_graph_set_independent(graph, read, writer));
    expect_refusal(graph, "write");
}

SUPPORT_GRAPH_CASE(an_itemizer_with_a_touch_function_that_reads_what_its_body_writes_is_refused,
                   2) {
    svs_task_type reader = with_facts(&read_task, "read", &reads_own);
    svs_task *read;
    support_ok(svs_graph_add_itemizer(graph, &reader, NULL, &read));
    expect_refusal(graph, "read");
}

int main(void) { return run_cases_each(clear_play, NULL); }
