/* sched.S2 and sched.S3: the order of the dependencies, and each sent item runs once. */
#include "support.h"

/* Each instance writes its letter into a common log. */
static struct {
    atomic_int count;
    char text[4096];
} journal;

typedef struct letter {
    char letter;
    bool common; /* writes the log as a whole, and so conflicts with the others that do */
} letter;

static const char letters[128];

static void letter_touch(svs_footprint *f, const letter *l) {
    if (l->common) svs_writes(f, &journal);
    else svs_writes(f, &letters[(int)l->letter]);
}

static svs_status note(svs_context *context, letter *l) {
    int at = atomic_fetch_add(&journal.count, 1);
    if (at < (int)sizeof journal.text - 1) journal.text[at] = l->letter;
    return SVS_OK;
}
SVS_TASK(letter, note, letter_touch)

static svs_task *add(svs_graph *graph, char which, bool common) {
    letter item = {which, common};
    return support_transform(graph, &letter_task, &item, NULL);
}

static int clear_journal(void **state) {
    memset(&journal, 0, sizeof journal);
    return 0;
}

SUPPORT_GRAPH_CASE(explicit_order_and_iterations_hold, 3) {
    svs_task *t[4];
    for (int i = 3; i >= 0; i--)
        t[i] = add(graph, (char)('a' + i), false); /* the wrong way round */
    support_ok(svs_graph_add_order(graph, t[0], t[1]));
    support_ok(svs_graph_add_order(graph, t[0], t[2]));
    support_ok(svs_graph_add_order(graph, t[1], t[3]));
    support_ok(svs_graph_add_order(graph, t[2], t[3]));
    support_run(graph, 200);
    assert_int_equal(journal.count, 800);
    for (size_t i = 0; i < 800; i += 4) {
        assert_int_equal(journal.text[i], 'a');
        assert_int_equal(journal.text[i + 1] + journal.text[i + 2], 'b' + 'c');
        assert_int_equal(journal.text[i + 3], 'd');
    }
}

SUPPORT_GRAPH_CASE(explicit_order_holds_between_tasks_that_are_said_to_be_independent, 3) {
    svs_task *b = add(graph, 'b', false), *a = add(graph, 'a', false);
    support_ok(svs_graph_add_order(graph, a, b));
    support_ok(svs_graph_set_independent(graph, a, b));
    support_run(graph, 100);
    for (size_t i = 0; i < 200; i += 2) assert_memory_equal(&journal.text[i], "ab", 2);
}

SUPPORT_GRAPH_CASE(conflicting_transforms_run_as_they_were_added, 3) {
    for (char c = 'a'; c <= 'f'; c++) (void)add(graph, c, true);
    support_run(graph, 50);
    assert_int_equal(journal.count, 300);
    for (size_t i = 0; i < 300; i += 6) assert_memory_equal(&journal.text[i], "abcdef", 6);
}

SUPPORT_GRAPH_CASE(implicit_dependencies_follow_the_explicit_ones_and_make_no_cycle, 3) {
    svs_task *a = add(graph, 'a', true), *b = add(graph, 'b', true), *c = add(graph, 'c', true);
    support_ok(svs_graph_add_order(graph, c, a)); /* against the order in which they were added */
    support_ok(svs_graph_add_order(graph, c, b));
    support_run(graph, 50);
    for (size_t i = 0; i < 150; i += 3) assert_memory_equal(&journal.text[i], "cab", 3);
}

SUPPORT_GRAPH_CASE(a_graph_runs_no_iterations_or_no_tasks, 3) {
    support_run(graph, 5);
    (void)add(graph, 'x', false);
    support_run(graph, 0);
    assert_int_equal(journal.count, 0);
    support_run(graph, 1);
    support_run(graph, 3);
    assert_int_equal(journal.count, 4);
}

/* ---- cycles ---- */

static svs_status stay(svs_context *context, letter *l) { return SVS_OK; }
SVS_TASK(hen, letter, stay, letter_touch)
SVS_TASK(egg, letter, stay, letter_touch)
SVS_TASK(bystander, letter, stay, letter_touch)

SUPPORT_GRAPH_CASE(a_cycle_is_refused_and_its_tasks_are_named, 3) {
    svs_task *h = support_itemizer(graph, &hen_task, NULL),
             *e = support_itemizer(graph, &egg_task, NULL);
    svs_task *other = support_transform(graph, &bystander_task, NULL, NULL);
    svs_report report;
    support_ok(svs_graph_add_flow(graph, other, h));
    support_ok(svs_graph_add_flow(graph, h, e));
    support_ok(svs_graph_add_order(graph, e, h));
    assert_int_equal(svs_graph_run(graph, 1, &report), SVS_E_CYCLE);
    assert_int_equal(report.status, SVS_E_CYCLE);
    assert_non_null(strstr(report.text, "hen"));
    assert_non_null(strstr(report.text, "egg"));
    assert_null(strstr(report.text, "bystander"));
    assert_true(support_logged(s));
    assert_non_null(strstr(s->log.last, "hen"));
}

/* ---- items ---- */

#define ITEMS 20000u

typedef struct number {
    uint32_t number;
    uint32_t check;
} number;

static atomic_uint ran[3 * ITEMS];
static atomic_uint spoiled;
static svs_task *even, *odd, *sink;

static void number_touch(svs_footprint *f, const number *n) { svs_writes(f, &ran[n->number % 64]); }

static svs_status count_run(svs_context *context, number *n) {
    if (n->check != ~n->number) atomic_fetch_add(&spoiled, 1);
    atomic_fetch_add(&ran[n->number], 1);
    if (n->number < ITEMS) { /* sends on, while its own consumer runs */
        number on = {n->number + ITEMS * (n->number % 2 ? 2 : 1), 0};
        svs_status status;
        on.check = ~on.number;
        status = svs_send(context, sink, &on, 1, sizeof on);
        memset(&on, 0xff, sizeof on); /* it was copied */
        return status;
    }
    return SVS_OK;
}
SVS_TASK(number, count_run, number_touch)

/* Bulks of growing size to one consumer, single items to the other. */
static svs_status produce(svs_context *context, letter *unused) {
    static number bulk[ITEMS];
    svs_status status = SVS_OK;
    for (uint32_t from = 0, count = 0; from < ITEMS && !status; from += 2 * count) {
        count = count < 3000 ? 2 * count + 1 : count;
        if (from + 2 * count > ITEMS) count = (ITEMS - from) / 2;
        for (uint32_t i = 0; i < count; i++) bulk[i] = (number){from + 2 * i, ~(from + 2 * i)};
        status = number_send(context, even, bulk, count);
        memset(bulk, 0xff, sizeof bulk);
        for (uint32_t i = 0; i < count && !status; i++) {
            number one = {from + 2 * i + 1, ~(from + 2 * i + 1)};
            status = number_send(context, odd, &one, 1);
        }
    }
    return status;
}
static void nothing_touch(svs_footprint *f, const letter *unused) {}
SVS_TASK(produce, letter, produce, nothing_touch)

SUPPORT_CASE(each_item_sent_runs_once, 3) {
    SUPPORT_EACH_ALGORITHM(algorithm) {
        svs_graph *graph = support_graph(s);
        svs_task *producer = support_transform(graph, &produce_task, NULL, NULL);
        memset(ran, 0, sizeof ran);
        even = support_itemizer(graph, &number_task, NULL);
        odd = support_itemizer(graph, &number_task, NULL);
        sink = support_itemizer(graph, &number_task, NULL);
        support_ok(svs_task_set_algorithm(even, algorithm));
        support_ok(svs_task_set_algorithm(odd, algorithm));
        support_ok(svs_task_set_algorithm(sink, algorithm));
        support_ok(svs_graph_add_flow(graph, producer, even));
        support_ok(svs_graph_add_flow(graph, producer, odd));
        support_ok(svs_graph_add_flow(graph, even, sink));
        support_ok(svs_graph_add_flow(graph, odd, sink));
        support_run(graph, 2);
        for (uint32_t i = 0; i < 3 * ITEMS; i++) {
            bool sent = i < ITEMS || (i < 2 * ITEMS ? i % 2 == 0 : i % 2 == 1);
            assert_int_equal(ran[i], sent ? 2 : 0);
        }
        assert_int_equal(spoiled, 0);
        assert_int_equal(support_statistics(graph).instances, 2 * (1 + 2 * ITEMS));
        support_ok(svs_graph_free(graph));
    }
}

SUPPORT_GRAPH_CASE(items_from_outside_belong_to_the_next_iteration, 3) {
    svs_task *to = support_itemizer(graph, &letter_task, NULL);
    letter items[3] = {{'p', false}, {'q', false}, {'r', false}};
    support_ok(svs_graph_send(graph, to, items, 3, sizeof items[0]));
    support_ok(svs_graph_send(graph, to, items, 0, sizeof items[0]));
    support_run(graph, 3); /* the first iteration has three items, the others none */
    assert_int_equal(journal.count, 3);
    support_ok(svs_graph_send(graph, to, items, 1, sizeof items[0]));
    support_run(graph, 1);
    assert_int_equal(journal.count, 4);
    assert_int_equal(journal.text[3], 'p');
}

SUPPORT_GRAPH_CASE(a_transforms_item_can_be_replaced_between_runs, 3) {
    svs_task *task = add(graph, 'a', false);
    letter other = {'b', false};
    support_run(graph, 1);
    support_ok(svs_task_set_item(task, &other));
    support_run(graph, 1);
    assert_string_equal(journal.text, "ab");
}

SUPPORT_GRAPH_CASE(a_consumer_of_nothing_ends_and_lets_others_begin, 3) {
    svs_task *nothing = support_transform(graph, &hen_task, NULL, NULL);
    svs_task *first = support_itemizer(graph, &letter_task, NULL);
    svs_task *second = support_itemizer(graph, &letter_task, NULL);
    svs_task *last = add(graph, 'z', false);
    support_ok(svs_graph_add_flow(graph, nothing, first));
    support_ok(svs_graph_add_flow(graph, first, second));
    support_ok(svs_graph_add_order(graph, second, last));
    support_run(graph, 100);
    assert_int_equal(journal.count, 100);
}

int main(void) { return run_cases_each(clear_journal, NULL); }
