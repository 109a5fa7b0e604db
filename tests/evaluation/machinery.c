/* What the evaluation is made of: rows and JSON, children, contests, profiles, predictions, and the
 * counting of source text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common.h"
#include "contest.h"
#include "plan.h"
#include "predict.h"
#include "source.h"

/* ---- rows ---- */

static void rows_are_read(void **state) {
    rows all = {0};
    (void)state;
    rows_parse(&all, "a table for people: x=1\n\nbench=links K=2 width=166.7 word other=a,b\n"
                     "bench=links K=4 width=nan\n");
    assert_int_equal(all.count, 2);
    assert_string_equal(row_text(rows_find(&all, "K=2"), "other"), "a,b");
    assert_true(row_number(rows_find(&all, "bench=links K=2"), "width") == 166.7);
    assert_true(isnan(row_number(rows_find(&all, "K=2"), "other")));
    assert_true(isnan(row_number(rows_find(&all, "K=2"), "none")));
    assert_null(rows_find(&all, "bench=width"));
    assert_null(row_text(NULL, "K"));
    rows_clean_up(&all);
}

static void rows_are_valid_json(void **state) {
    rows all = {0};
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    (void)state;
    rows_parse(&all, "a=1 b=-2.5e3 c=0123 d=x\"\\ e=1,2.5 f=nan g=1. h=12345678901234567890 i=-\n");
    rows_print_json(&all, to);
    fclose(to);
    assert_string_equal(text, "[\n{\"a\":1,\"b\":-2.5e3,\"c\":\"0123\",\"d\":\"x\\\"\\\\\","
                              "\"e\":[1,2.5],\"f\":null,\"g\":\"1.\","
                              "\"h\":\"12345678901234567890\",\"i\":\"-\"}\n]");
    free(text);
    rows_clean_up(&all);
}

static void rows_are_read_back(void **state) {
    rows all = {0}, back = {0};
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    (void)state;
    rows_parse(&all, "figure=7.5 seconds=0.25 samples=1,2.5 name=x\"y last=nan\n a=no\nb=2\n");
    fputs("{\"machine\":{\"cpus\":\"16\"},\n\"rows\":", to);
    rows_print_json(&all, to);
    fputs("}\n", to);
    fclose(to);
    assert_int_equal(rows_read_json(&back, text), 2);
    assert_true(row_number(&back.of[0], "seconds") == 0.25);
    assert_string_equal(row_text(&back.of[0], "samples"), "1,2.5");
    assert_string_equal(row_text(&back.of[0], "name"), "x\"y");
    assert_true(isnan(row_number(&back.of[0], "last")));
    assert_int_equal(rows_read_json(&back, "no rows here\n{\"a\":}\n{"), 0);
    free(text);
    rows_clean_up(&all);
    rows_clean_up(&back);
}

/* ---- children ---- */

static void run_shell(child *c, const char *script, double limit_seconds) {
    arguments a = {0};
    arguments_add_words(&a, "/bin/sh -c");
    arguments_add(&a, "%s", script);
    child_run(c, &a, limit_seconds);
    arguments_clean_up(&a);
}

static void a_child_tells_all(void **state) {
    child c;
    char why[80];
    (void)state;
    run_shell(&c, "echo out; echo first >&2; echo second >&2; exit 77", 30);
    assert_string_equal(c.output, "out\n");
    assert_int_equal(c.status, CHILD_SKIPPED);
    assert_true(c.failed && !c.timed_out && c.peak_mb > 0);
    child_complaint(&c, why, sizeof why);
    assert_string_equal(why, "second");
    child_clean_up(&c);
    run_shell(&c, "head -c 100000 /dev/zero | tr '\\0' x", 30);
    assert_int_equal(strlen(c.output), 100000);
    assert_false(c.failed);
    child_clean_up(&c);
}

static void a_child_ends_in_time(void **state) {
    child c;
    char why[80];
    (void)state;
    run_shell(&c, "exec sleep 60", 0.05);
    assert_true(c.timed_out && c.failed);
    child_complaint(&c, why, sizeof why);
    assert_string_equal(why, "took too long and was ended");
    child_clean_up(&c);
}

static void a_child_that_is_not_there(void **state) {
    child c;
    arguments a = {0};
    (void)state;
    arguments_add(&a, "/nowhere/at all");
    child_run(&c, &a, 30);
    assert_int_equal(c.status, 127);
    assert_non_null(strstr(c.error, "No such file"));
    child_clean_up(&c);
    arguments_clean_up(&a);
}

/* ---- contests ---- */

static void enter(entrant *e, const char *engine, const char *script) {
    memset(e, 0, sizeof *e);
    e->engine = engine;
    e->threads = 2;
    arguments_add_words(&e->command, "/bin/sh -c");
    arguments_add(&e->command, "%s", script);
}

static void contests_are_paired_by_round(void **state) {
    settings set = {.scale = SCALE_TINY};
    report r;
    entrant of[3];
    (void)state;
    report_init(&r, &set);
    enter(&of[0], "svs", "echo engine=svs seconds=3 cpu_seconds=4 lock=none prepare_seconds=1");
    enter(&of[1], "mutex", "echo engine=mutex seconds=2 frame_p99_us=1500");
    enter(&of[2], "stm", "echo it is not there >&2; exit 77");
    contest_run(&r, "a test", of, 3, (contest_limits){4, 60, 60, 1});
    assert_int_equal(of[0].count, 4);
    assert_true(entrant_ratio(&of[0], &of[1], SECONDS).median == 1.5);
    assert_int_equal(entrant_ratio(&of[0], &of[1], SECONDS).count, 4);
    assert_int_equal(entrant_ratio(&of[0], NULL, SECONDS).count, 0);
    assert_true(entrant_summary(&of[0], CPU).median == 4);
    assert_true(entrant_summary(&of[0], PREPARED).median == 4);
    assert_int_equal(entrant_summary(&of[1], PREPARED).count, 0);
    assert_true(entrant_summary(&of[1], FRAME_P99_MS).median == 1.5);
    assert_string_equal(of[0].lock, "none");
    assert_string_equal(of[2].why, "it is not there");
    assert_null(contest_find(of, 3, "stm", 2));
    assert_ptr_equal(contest_find(of, 3, "mutex", 2), &of[1]);
    for (int i = 0; i < 3; i++) entrant_clean_up(&of[i]);
    report_clean_up(&r);
}

/* Who is far behind has a turn in every third round, so ratios pair what there is. */
static void the_slow_have_fewer_turns(void **state) {
    settings set = {.scale = SCALE_TINY};
    report r;
    entrant of[2];
    (void)state;
    report_init(&r, &set);
    enter(&of[0], "svs", "echo engine=svs seconds=1");
    enter(&of[1], "stm", "echo engine=stm seconds=10");
    contest_run(&r, "a test", of, 2, (contest_limits){5, 60, 60, 1});
    assert_int_equal(of[0].count, 5);
    assert_int_equal(of[1].count, 2);
    assert_int_equal(of[1].rounds[1], 3);
    assert_int_equal(entrant_ratio(&of[1], &of[0], SECONDS).count, 2);
    for (int i = 0; i < 2; i++) entrant_clean_up(&of[i]);
    report_clean_up(&r);
}

static void a_budget_leaves_the_least_of_rounds(void **state) {
    settings set = {.scale = SCALE_TINY};
    report r;
    entrant e;
    (void)state;
    report_init(&r, &set);
    enter(&e, "svs", "echo engine=svs seconds=1");
    contest_run(&r, "a test", &e, 1, (contest_limits){9, 0, 60, 3});
    assert_int_equal(e.count, 3);
    entrant_clean_up(&e);
    report_clean_up(&r);
}

/* ---- profiles and predictions ---- */

static void a_profile_is_read(void **state) {
    static const port_profile of = {.serial = "world_tick",
                                    .alone = "plan_run_ swap_run_",
                                    .asyncs = "part",
                                    .senders = "produce_run_"};
    static const char text[] = "--------\n1,000 (100.0%)  PROGRAM TOTALS\n"
                               "500 (50.00%)  ???:svs_graph_run [/x/libsvs.so.0.1.0]\n"
                               "250 (25.00%)  ???:svs__stage_make'2 [/x/libsvs.so.0.1.0]\n"
                               "1,0 ( 1.00%)  a:svs_send [/x/libsvs.so.0.1.0]\n"
                               "100 (10.00%)  a.c:swap_run_ [/x/canneal]\n"
                               " 50 ( 5.00%)  b.c:produce_run_ [/x/canneal]\n"
                               " 25 ( 5.00%)  b.c:exact_swap_run_ [/x/canneal]\n"
                               " 50 ( 5.00%)  b.c:part [/x/canneal]\n"
                               "100 (10.00%)  ???:world_tick [/x/canneal]\n"
                               "999 (10.00%)  ???:other_run_ [/x/libother.so]\n";
    profile p = profile_read(text, &of);
    (void)state;
    assert_true(p.known && p.staged);
    assert_true(p.maker == 0.5 && p.sends == 0.02 && p.bodies == 0.35 && p.serial == 0.2);
    assert_true(p.alone == 0.1 && p.sender == 0.1); /* swap_run_ alone, less an async */
    p = profile_read("100 (1%)  a:svs_graph_run [l.so]\n10 (1%)  a:svs__domain_take [l.so]\n"
                     "15 (1%)  a:svs__domain_settle [l.so]\n",
                     &(port_profile){.words = ""});
    assert_true(p.known && !p.staged && p.maker == 0.25);
    p = profile_read("nothing\n", &of);
    assert_false(p.known);
    assert_true(strlen(p.why) > 0);
}

static void predictions_follow_the_model(void **state) {
    graph_run g = {.serial = 1, .work = 16, .maker = 3, .sender = 2};
    (void)state;
    assert_true(predict_seconds(&g, 1) == 17);
    assert_true(predict_seconds(&g, 2) == 9);
    assert_true(predict_seconds(&g, 64) == 4); /* the maker's time */
    g.sender = 5;
    assert_true(predict_seconds(&g, 64) == 6);
    g.alone = 4; /* of the work: nothing runs beside it */
    assert_true(predict_seconds(&g, 1) == 17);
    assert_true(predict_seconds(&g, 2) == 11);
    assert_true(predict_seconds(&g, 64) == 10);
    g.stages = 2;
    g.instances = 32;
    g.handover = 0.5; /* a stage: half a second of an instance, and as much to hand over */
    assert_true(predict_span(&g) == 2);
    assert_true(predict_seconds(&g, 1) == 17);
    assert_true(predict_seconds(&g, 2) == 12);
    g.barriers = 4;
    g.wakeup = 0.25; /* one worker waits for nobody, of two each waits half of the time */
    assert_true(predict_seconds(&g, 1) == 17);
    assert_true(predict_seconds(&g, 2) == 12.5);
    g.lock_handovers = 8; /* of which half are between two workers: 2 s that both share */
    assert_true(predict_seconds(&g, 2) == 13.5);
}

/* ---- plans ---- */

static void a_plan_keeps_to_its_time(void **state) {
    settings set = {.scale = SCALE_QUICK, .part = -1};
    report r;
    double all = 0;
    (void)state;
    for (int part = 0; part < PLAN_PARTS; part++) all += plan_part_seconds(&set, part);
    assert_true(all > 60 && all <= 225);
    report_init(&r, &set);
    assert_true(plan_share(&r, 0) == 1);
    r.begin_ns -= UINT64_C(150) * 1000000000u; /* as if that much were gone */
    assert_true(plan_share(&r, 0) < 0.5);
    r.begin_ns -= UINT64_C(150) * 1000000000u;
    assert_true(plan_share(&r, 0) == 0);
    set.part = 1;
    assert_true(plan_wants(&set, 1) && !plan_wants(&set, 0));
    assert_true(plan_part_seconds(&set, 0) == 0 && plan_part_seconds(&set, 1) > 0);
    report_clean_up(&r);
    set = (settings){.scale = SCALE_WHOLE, .part = -1};
    all = 0;
    for (int part = 0; part < PLAN_PARTS; part++) all += plan_part_seconds(&set, part);
    assert_true(all > 225 && all <= 860);
}

/* ---- source text ---- */

static source source_of(const char *text) {
    char path[] = "/tmp/svs-evaluation-XXXXXX";
    int file = mkstemp(path);
    FILE *to = fdopen(file, "w");
    source s = {0};
    fputs(text, to);
    fclose(to);
    assert_true(source_add(&s, path));
    remove(path);
    return s;
}

static void source_is_counted(void **state) {
    source a =
        source_of("/* a comment\n   svs_set(x) */\nint a; // b\n\n  char *s = \"/* no */\";\n");
    source b = source_of("int a;\nlock(x); svs_set(y, z, w);\n#define svs_set(a) a\n  int c;\n"
                         "svs_writes_object(f, o); xlock(y);\n");
    source_changes c = source_compare(&a, &b);
    (void)state;
    assert_int_equal(a.count, 2);
    assert_string_equal(a.lines[1], "char *s = \"/* no */\";");
    assert_int_equal(b.count, 5);
    assert_int_equal(c.added, 4);
    assert_int_equal(c.removed, 1);
    assert_int_equal(source_calls(&a, "svs_set|"), 0);
    assert_int_equal(source_calls(&b, "svs_set|"), 1);
    assert_int_equal(source_calls(&b, "lock|svs_writes*|"), 2);
    source_clean_up(&a);
    source_clean_up(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read),
        cmocka_unit_test(rows_are_valid_json),
        cmocka_unit_test(rows_are_read_back),
        cmocka_unit_test(a_child_tells_all),
        cmocka_unit_test(a_child_ends_in_time),
        cmocka_unit_test(a_child_that_is_not_there),
        cmocka_unit_test(contests_are_paired_by_round),
        cmocka_unit_test(the_slow_have_fewer_turns),
        cmocka_unit_test(a_budget_leaves_the_least_of_rounds),
        cmocka_unit_test(a_profile_is_read),
        cmocka_unit_test(predictions_follow_the_model),
        cmocka_unit_test(a_plan_keeps_to_its_time),
        cmocka_unit_test(source_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
