/* Each kind of inconsistency is found, and named by worker and phase; and the paper's formulas. */
#include "stealtree/verify.h"
#include "../base/helpers.h"
#include "script.h"
#include "stealtree/record.h"
#include "stealtree/trace.h"

/* Workers' events; `phases` are counted. */
typedef struct parts {
    script worker[3];
    uint64_t phases[3], lost[3];
} parts;

static void begin(parts *p, int worker, unsigned tag, int victim, uint64_t asyncs, uint64_t ns,
                  uint64_t at) {
    script_event(&p->worker[worker], tag, victim, asyncs, ns, at);
    p->phases[worker]++;
}

static void end(parts *p, int worker, unsigned tag, uint64_t asyncs, uint64_t ns) {
    script_event(&p->worker[worker], tag, -1, asyncs, ns, 0);
}

static svs_trace *trace_of(const parts *p, uint32_t policy) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace = NULL;
    script all;
    script_head(&all, policy, 3, 1000000);
    for (int w = 0; w < 3; w++) script_worker(&all, &p->worker[w], p->phases[w], p->lost[w]);
    script_seal(&all);
    if (svs__trace_unpack(&svs__allocator_libc, all.bytes, all.size, &trace, message,
                          sizeof message))
        fail_msg("%s", message);
    return trace;
}

/* The check answers with exactly this; NULL: it has nothing to say. */
static void expect(const parts *p, uint32_t policy, const char *answer) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace = trace_of(p, policy);
    svs_status status = svs_trace_verify(trace, message, sizeof message);
    assert_string_equal(message, answer == NULL ? "" : answer);
    assert_int_equal(status, answer == NULL ? SVS_OK : SVS_E_TRACE);
    svs_trace_free(trace);
}

/* Worker 0 has a root with asyncs 0 to 9; worker 1 steals number 3 and has 0 to 4; worker 2 steals
 * number 2 from that, and then number 7 of worker 0. */
static void sound(parts *p) {
    memset(p, 0, sizeof *p);
    begin(p, 0, ROOT, -1, 0, 10, 0);
    end(p, 0, END, 10, 90);
    begin(p, 1, STOLEN, 0, 0, 20, 3);
    end(p, 1, END, 5, 50);
    begin(p, 2, STOLEN, 1, 0, 30, 2);
    end(p, 2, END, 0, 5);
    begin(p, 2, STOLEN, 0, 0, 5, 7);
    end(p, 2, END, 1, 5);
}

TEST_CASE(a_sound_trace_has_nothing_wrong) {
    parts p;
    sound(&p);
    expect(&p, SVS_POLICY_HELP_FIRST, NULL);
    expect(&p, SVS_POLICY_WORK_FIRST, NULL);
}

TEST_CASE(a_tree_names_the_thief_of_each_async) {
    const svs__tree_steal *steal;
    svs_trace *trace;
    svs__steal_tree *tree;
    parts p;
    sound(&p);
    /* Inside of worker 2's second one, a third from worker 1; between, asyncs of the outer one. */
    p.worker[2].size = 0;
    p.phases[2] = 0;
    begin(&p, 2, STOLEN, 0, 0, 30, 7);
    script_event(&p.worker[2], WAITED, 0, 4, 2, 2);
    begin(&p, 2, STOLEN, 1, 0, 3, 2);
    end(&p, 2, END, 3, 5);
    script_event(&p.worker[2], WAITED, 0, 0, 1, 1);
    end(&p, 2, END, 1, 4);
    begin(&p, 1, STOLEN, 2, 0, 1, 5); /* the inner one's */
    end(&p, 1, END, 0, 1);
    begin(&p, 1, STOLEN, 2, 0, 1, 7); /* the outer one's last */
    end(&p, 1, END, 0, 1);
    trace = trace_of(&p, SVS_POLICY_HELP_FIRST);
    assert_int_equal(svs__tree_new(trace, &tree, NULL, 0), SVS_OK);
    assert_int_equal(svs__tree_verify(tree, NULL, 0), SVS_OK);
    for (uint64_t o = 0; o < 4; o++) assert_int_equal(svs__tree_phase_of(tree, 2, o), 0);
    for (uint64_t o = 4; o < 7; o++) assert_int_equal(svs__tree_phase_of(tree, 2, o), 1);
    assert_int_equal(svs__tree_phase_of(tree, 2, 7), 0);
    assert_int_equal(svs__tree_phase_of(tree, 2, 8), SVS__TREE_NONE);
    steal = svs__tree_steal_of(tree, 2, 1, 5);
    assert_non_null(steal);
    assert_int_equal(steal->thief, 1);
    assert_int_equal(steal->phase, 1);
    assert_null(svs__tree_steal_of(tree, 2, 0, 5));
    assert_null(svs__tree_steal_of(tree, 2, 1, 6));
    steal = svs__tree_steal_of(tree, 2, 0, 7);
    assert_non_null(steal);
    assert_ptr_equal(svs__tree_stolen(tree, steal), &tree->worker[1].phases[2]);
    assert_ptr_equal(svs__tree_parent(tree, &tree->worker[1].phases[2]), tree->worker[2].phases);
    assert_null(svs__tree_parent(tree, tree->worker[0].phases));
    assert_int_equal(svs__tree_own_ns(tree, 2, 0), 7);
    assert_int_equal(tree->worker[2].phases[0].waited_ns, 3);
    assert_int_equal(tree->worker[2].phases[0].inner_ns, 5);
    assert_int_equal(svs__tree_own_ns(tree, 2, 1), 5);
    assert_int_equal(svs__tree_own_asyncs(tree, 2, 0), 5);
    assert_int_equal(svs__tree_own_asyncs(tree, 2, 1), 3);
    assert_int_equal(tree->worker[2].phases[1].enclosing, 0);
    svs__tree_free(tree);
    svs_trace_free(trace);
}

TEST_CASE(thefts_of_nothing_are_found) {
    parts p;
    sound(&p);
    begin(&p, 1, STOLEN, 0, 0, 1, 10);
    end(&p, 1, END, 0, 1);
    expect(&p, SVS_POLICY_HELP_FIRST,
           "worker 1, phase 1: stole async 10 of worker 0, which is in none of its phases");
    sound(&p);
    begin(&p, 0, STOLEN, 2, 0, 1, 1);
    end(&p, 0, END, 0, 1);
    expect(&p, SVS_POLICY_HELP_FIRST,
           "worker 0, phase 1: stole async 1 of worker 2, which is in none of its phases");
    sound(&p);
    begin(&p, 1, STOLEN, 1, 0, 1, 2);
    end(&p, 1, END, 0, 1);
    expect(&p, SVS_POLICY_HELP_FIRST,
           "worker 1, phase 1: began with a theft of async 2 from its own worker");
}

TEST_CASE(a_second_theft_is_found) {
    parts p;
    sound(&p);
    begin(&p, 2, STOLEN, 0, 0, 1, 3);
    end(&p, 2, END, 0, 1);
    expect(&p, SVS_POLICY_HELP_FIRST,
           "worker 2, phase 2: stole async 3 of worker 0, which phase 0 of worker 1 had stolen "
           "already");
}

TEST_CASE(a_beginning_before_its_cause_is_found) {
    parts p;
    sound(&p);
    p.worker[2].size = 0;
    p.phases[2] = 0;
    begin(&p, 2, STOLEN, 1, 0, 19, 2);
    end(&p, 2, END, 0, 5);
    expect(&p, SVS_POLICY_HELP_FIRST,
           "worker 2, phase 0: began 19 ns into the trace, before phase 0 of worker 1 that it "
           "stole from (20 ns)");
    memset(&p, 0, sizeof p);
    begin(&p, 0, ROOT, -1, 0, 10, 0);
    end(&p, 0, SUSPENDED, 1, 10);
    begin(&p, 1, RESUMED, 0, 0, 9, 0);
    end(&p, 1, END, 0, 1);
    expect(&p, SVS_POLICY_WORK_FIRST,
           "worker 1, phase 0: began 9 ns into the trace, before phase 0 of worker 0 that it "
           "resumes (10 ns)");
}

TEST_CASE(suspensions_and_resumptions_that_do_not_match_are_found) {
    parts p;
    memset(&p, 0, sizeof p);
    begin(&p, 0, ROOT, -1, 0, 10, 0);
    end(&p, 0, SUSPENDED, 1, 10);
    expect(&p, SVS_POLICY_WORK_FIRST,
           "worker 0, phase 0: was suspended, and nothing went on after it");
    begin(&p, 1, RESUMED, 0, 0, 30, 0);
    end(&p, 1, END, 0, 1);
    expect(&p, SVS_POLICY_WORK_FIRST, NULL);
    expect(&p, SVS_POLICY_HELP_FIRST, "worker 0, phase 0: was suspended, under help-first");
    begin(&p, 2, RESUMED, 0, 0, 30, 0);
    end(&p, 2, END, 0, 1);
    expect(&p, SVS_POLICY_WORK_FIRST,
           "worker 2, phase 0: resumes phase 0 of worker 0, as phase 0 of worker 1 did "
           "already");
    sound(&p);
    begin(&p, 1, RESUMED, 0, 0, 30, 0);
    end(&p, 1, END, 0, 1);
    expect(&p, SVS_POLICY_WORK_FIRST,
           "worker 1, phase 1: resumes phase 0 of worker 0, which was not suspended");
    sound(&p);
    begin(&p, 1, RESUMED, 0, 0, 30, 1);
    end(&p, 1, END, 0, 1);
    expect(&p, SVS_POLICY_WORK_FIRST,
           "worker 1, phase 1: resumes phase 1 of worker 0, which does not exist");
}

TEST_CASE(what_is_not_whole_is_found) {
    parts p;
    memset(&p, 0, sizeof p);
    expect(&p, SVS_POLICY_HELP_FIRST, "the trace has neither a phase nor a graph");
    sound(&p);
    p.lost[1] = 5;
    p.lost[2] = 2;
    expect(&p, SVS_POLICY_HELP_FIRST,
           "the trace is not whole: 7 beginnings and ends of phases did not fit into its memory");
    sound(&p);
    begin(&p, 0, ROOT, -1, 0, 1, 0);
    expect(&p, SVS_POLICY_HELP_FIRST, "worker 0, phase 1: has not ended");
}

/* Three phases that each began with a theft from the next. */
TEST_CASE(a_circle_is_found) {
    parts p;
    sound(&p);
    begin(&p, 0, STOLEN, 1, 0, 100, 5);
    end(&p, 0, END, 1, 1);
    begin(&p, 1, STOLEN, 2, 0, 130, 1);
    end(&p, 1, END, 1, 1);
    begin(&p, 2, STOLEN, 0, 0, 155, 10);
    end(&p, 2, END, 1, 1);
    expect(&p, SVS_POLICY_HELP_FIRST, "worker 0, phase 1: is its own ancestor");
}

/* A long chain of phases, each stolen from the one before: no stack is used up. */
TEST_CASE(a_long_chain_is_walked) {
    enum { LINKS = 200000 };
    svs__recorder *recorder =
        svs__recorder_new(&svs__allocator_libc, SVS_POLICY_HELP_FIRST, 2, (size_t)64 << 20);
    svs__observer *observer = &recorder->observer;
    uint64_t ordinals[2] = {0, 0};
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace;
    for (uint32_t i = 0; i < LINKS; i++) {
        uint32_t worker = i % 2;
        svs__phase_start start = {i == 0 ? SVS__PHASE_ROOT : SVS__PHASE_STOLEN,
                                  i == 0 ? 0 : 1 - worker, i == 0 ? 0 : ordinals[1 - worker] - 1,
                                  ordinals[worker]};
        observer->phase_begins(observer, worker, &start);
        observer->phase_ends(observer, worker, ++ordinals[worker], false);
    }
    trace = svs__recorder_finish(recorder);
    if (svs_trace_verify(trace, message, sizeof message)) fail_msg("%s", message);
    svs_trace_free(trace);
}

TEST_CASE(the_formulas_of_section_7_3) {
    static const svs__paper_sizes fours = {4, 4, 4}, others = {1, 10, 100};
    svs_trace_statistics statistics;
    svs_trace *trace;
    parts p;
    /* Four phases with 2, 1, 0 and 0 steals: sum of v (1 + s) + s (m + k), and without k. */
    sound(&p);
    assert_int_equal(svs__paper_bytes(SVS_POLICY_HELP_FIRST, 4, 3, &fours),
                     4 * (3 + 2 + 1 + 1) + 3 * 8);
    assert_int_equal(svs__paper_bytes(SVS_POLICY_WORK_FIRST, 4, 3, &fours),
                     4 * (3 + 2 + 1 + 1) + 3 * 4);
    assert_int_equal(svs__paper_bytes(SVS_POLICY_HELP_FIRST, 4, 3, &others), 7 + 3 * 110);
    assert_int_equal(svs__paper_bytes(SVS_POLICY_WORK_FIRST, 4, 3, &others), 7 + 3 * 10);
    for (uint32_t policy = 0; policy <= 1; policy++) {
        trace = trace_of(&p, policy);
        assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
        assert_int_equal(statistics.bytes_paper, policy == SVS_POLICY_HELP_FIRST ? 52 : 40);
        assert_int_equal(statistics.phases, 4);
        assert_int_equal(statistics.steals, 3);
        assert_int_equal(statistics.roots, 1);
        assert_int_equal(statistics.asyncs, 16);
        svs_trace_free(trace);
    }
}

int main(void) { return run_cases(NULL, NULL); }
