/* A trace holds all events of its recorder: in memory, as bytes, as a tree; within its bound; from
 * several threads; and while the recording goes on. */
#include "fake.h"
#include "stealtree/file.h"

#define PLENTY ((size_t)64 << 20)

static svs__steal_tree *tree_of(const svs_trace *trace) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs__steal_tree *tree;
    if (svs__tree_new(trace, &tree, message, sizeof message)) fail_msg("%s", message);
    return tree;
}

static void assert_consistent(const svs_trace *trace) {
    char message[SVS_TRACE_MESSAGE] = "";
    if (svs_trace_verify(trace, message, sizeof message)) fail_msg("%s", message);
}

/* Packs, unpacks and packs again. @return the second trace. */
static svs_trace *through_bytes(const svs_trace *trace) {
    char message[SVS_TRACE_MESSAGE] = "";
    unsigned char *bytes, *again;
    size_t size, again_size;
    svs_trace *copy;
    assert_int_equal(svs__trace_pack(trace, &bytes, &size), SVS_OK);
    if (svs__trace_unpack(&trace->allocator, bytes, size, &copy, message, sizeof message))
        fail_msg("%s", message);
    assert_int_equal(svs__trace_pack(copy, &again, &again_size), SVS_OK);
    assert_int_equal(size, again_size);
    assert_memory_equal(bytes, again, size);
    svs__release(&trace->allocator, bytes, size, 1);
    svs__release(&trace->allocator, again, again_size, 1);
    return copy;
}

static void compare_statistics(const fake *f, const svs_trace *trace) {
    svs_trace_statistics statistics;
    uint64_t phases = 0, asyncs = 0, paper = 0;
    for (uint32_t w = 0; w < f->workers; w++) {
        phases += f->worker[w].count;
        asyncs += f->worker[w].ordinal - f->worker[w].first_ordinal;
        for (uint32_t p = 0; p < f->worker[w].count; p++) {
            uint64_t s = f->worker[w].phases[p].steals;
            paper += 4 * (1 + s) + s * (f->policy == SVS_POLICY_HELP_FIRST ? 4 + 4 : 4);
        }
    }
    assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
    assert_int_equal(statistics.policy, f->policy);
    assert_int_equal(statistics.workers, f->workers);
    assert_int_equal(statistics.phases, phases);
    assert_int_equal(statistics.roots, f->roots);
    assert_int_equal(statistics.steals, f->stolen);
    assert_int_equal(statistics.resumed, f->resumed);
    assert_int_equal(statistics.nested, f->nested);
    assert_int_equal(statistics.asyncs, asyncs);
    assert_int_equal(statistics.lost, 0);
    assert_int_equal(statistics.bytes_paper, paper);
    assert_int_equal(statistics.bytes, svs_trace_bytes(trace));
    assert_true(statistics.memory_bytes > statistics.bytes);
}

static void play(uint64_t seed, uint32_t policy, uint32_t workers, uint32_t steps) {
    counting counts = {0};
    svs_allocator allocator = counting_allocator(&counts);
    svs__recorder *recorder;
    svs_trace *trace, *copy;
    svs__steal_tree *tree, *again;
    svs__steal_tree *verified, *second;
    fake f;
    fake_init(&f, seed, policy, workers);
    recorder = fake_record(&f, &allocator, PLENTY);
    fake_run(&f, steps);
    trace = svs__recorder_finish(recorder);
    compare_statistics(&f, trace);
    assert_consistent(trace);
    tree = tree_of(trace);
    fake_compare(&f, tree);
    copy = through_bytes(trace);
    again = tree_of(copy);
    fake_compare(&f, again);
    assert_int_equal(svs__tree_new_verified(trace, &verified, NULL, 0), SVS_OK);
    assert_int_equal(svs__tree_new_verified(copy, &second, NULL, 0), SVS_OK);
    assert_true(svs__tree_equal(verified, second));
    svs__tree_free(second);
    svs__tree_free(verified);
    svs__tree_free(again);
    svs__tree_free(tree);
    svs_trace_free(copy);
    svs_trace_free(trace);
    fake_free(&f);
    assert_int_equal(counts.live, 0);
}

TEST_CASE(recorded_events_are_in_the_tree_and_survive_the_bytes) {
    uint64_t rounds = scaled(400, 20);
    for (uint64_t seed = 1; seed <= rounds; seed++)
        for (uint32_t policy = 0; policy <= 1; policy++)
            play(seed, policy, 1 + (uint32_t)(seed % FAKE_WORKERS),
                 1 + (uint32_t)(seed * 7 % 1500));
}

TEST_CASE(a_long_run_takes_many_chunks) {
    play(99, SVS_POLICY_HELP_FIRST, 4, 60000);
    play(99, SVS_POLICY_WORK_FIRST, 4, 60000);
}

TEST_CASE(the_plan_has_the_steals_of_each_phase_in_order) {
    svs__recorder *recorder;
    svs_trace *trace;
    svs__steal_tree *verified;
    uint64_t steals = 0;
    fake f;
    fake_init(&f, 5, SVS_POLICY_HELP_FIRST, 6);
    recorder = fake_record(&f, &svs__allocator_libc, PLENTY);
    fake_run(&f, 4000);
    trace = svs__recorder_finish(recorder);
    assert_int_equal(svs__tree_new_verified(trace, &verified, NULL, 0), SVS_OK);
    for (uint32_t w = 0; w < verified->workers; w++) {
        for (uint32_t p = 0; p < verified->worker[w].phase_count; p++) {
            const svs__tree_phase *phase = &verified->worker[w].phases[p];
            const svs__tree_steal *of = &verified->worker[w].steals[phase->steal_first];
            for (uint32_t s = 0; s < phase->steal_count; s++) {
                const svs__phase_start *start =
                    &verified->worker[of[s].thief].phases[of[s].phase].start;
                assert_true(of[s].ordinal >= phase->start.ordinal && of[s].ordinal < phase->end);
                assert_true(s == 0 || of[s - 1].ordinal < of[s].ordinal);
                assert_int_equal(start->kind, SVS__PHASE_STOLEN);
                assert_int_equal(start->victim, w);
                assert_int_equal(start->at, of[s].ordinal);
                steals++;
            }
        }
    }
    assert_int_equal(steals, f.stolen);
    assert_true(steals > 100);
    verified->worker[1].steals[0].ordinal++;
    {
        svs__steal_tree *other;
        assert_int_equal(svs__tree_new_verified(trace, &other, NULL, 0), SVS_OK);
        assert_false(svs__tree_equal(verified, other));
        svs__tree_free(other);
    }
    svs__tree_free(verified);
    svs_trace_free(trace);
    fake_free(&f);
}

TEST_CASE(what_does_not_fit_is_counted_and_the_trace_says_so) {
    char message[SVS_TRACE_MESSAGE];
    for (size_t bound = 0; bound <= 4 * SVS__CHUNK_BYTES; bound += SVS__CHUNK_BYTES / 2) {
        counting counts = {0};
        svs_allocator allocator = counting_allocator(&counts);
        svs__recorder *recorder;
        svs_trace_statistics statistics;
        uint64_t before, events = 0;
        svs_trace *trace, *copy;
        svs__steal_tree *tree;
        svs__steal_tree *verified;
        fake f;
        fake_init(&f, 3, SVS_POLICY_WORK_FIRST, 3);
        recorder = fake_record(&f, &allocator, bound);
        before = counts.live_bytes;
        fake_run(&f, 60000);
        assert_true(counts.live_bytes - before <= bound);
        trace = svs__recorder_finish(recorder);
        assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
        for (uint32_t w = 0; w < f.workers; w++) {
            svs__events of = svs__events_of(trace, w);
            svs__event event;
            while (svs__events_next(&of, &event)) events++;
            assert_null(of.wrong);
        }
        assert_int_equal(events + statistics.lost, f.told);
        assert_true(statistics.lost > 0);
        tree = tree_of(trace);
        for (uint32_t w = 0; w < f.workers; w++)
            for (uint32_t p = 0; p < tree->worker[w].phase_count; p++)
                if (!tree->worker[w].phases[p].open) {
                    assert_int_equal(tree->worker[w].phases[p].end,
                                     f.worker[w].phases[p].end - f.worker[w].first_ordinal);
                }
        svs__tree_free(tree);
        assert_int_equal(svs_trace_verify(trace, message, sizeof message), SVS_E_TRACE);
        assert_non_null(strstr(message, "not whole"));
        assert_int_equal(svs__tree_new_verified(trace, &verified, message, sizeof message),
                         SVS_E_TRACE);
        assert_null(verified);
        copy = through_bytes(trace);
        svs_trace_free(copy);
        svs_trace_free(trace);
        fake_free(&f);
        assert_int_equal(counts.live, 0);
    }
}

/* Lets the clock go on by a microsecond at least. */
static void pass_time(void) {
    uint64_t begin = svs__time_ns();
    while (svs__time_ns() - begin < 1000) svs__relax();
}

TEST_CASE(waiting_is_told_apart_from_work_and_from_inner_phases) {
    svs__recorder *recorder =
        svs__recorder_new(&svs__allocator_libc, SVS_POLICY_HELP_FIRST, 1, PLENTY);
    svs__observer *observer = &recorder->observer;
    svs__phase_start start = {SVS__PHASE_ROOT, 0, 0, 0};
    const svs__tree_phase *outer, *inner;
    svs_trace_statistics statistics;
    svs_trace *trace, *copy;
    svs__steal_tree *tree;
    observer->waits(observer, 0, true); /* outside of all phases: of no interest */
    pass_time();
    observer->waits(observer, 0, false);
    observer->phase_begins(observer, 0, &start);
    pass_time();
    observer->waits(observer, 0, true);
    pass_time();
    observer->phase_begins(observer, 0, &start);
    pass_time();
    observer->waits(observer, 0, true);
    pass_time();
    pass_time();
    observer->waits(observer, 0, false);
    observer->phase_ends(observer, 0, 0, false);
    pass_time();
    observer->waits(observer, 0, false);
    pass_time();
    observer->phase_ends(observer, 0, 0, false);
    trace = svs__recorder_finish(recorder);
    copy = through_bytes(trace);
    tree = tree_of(copy);
    assert_int_equal(tree->worker[0].phase_count, 2);
    outer = &tree->worker[0].phases[0];
    inner = &tree->worker[0].phases[1];
    assert_true(outer->waited_ns >= 2000);
    assert_true(inner->waited_ns >= 2000);
    assert_int_equal(outer->inner_ns, inner->end_ns - inner->begin_ns);
    assert_true(svs__tree_own_ns(tree, 0, 0) >= 2000);
    assert_true(svs__tree_own_ns(tree, 0, 1) >= 1000);
    assert_int_equal(svs__tree_own_ns(tree, 0, 0) + svs__tree_own_ns(tree, 0, 1) +
                         outer->waited_ns + inner->waited_ns,
                     outer->end_ns - outer->begin_ns);
    assert_int_equal(svs_trace_statistics_get(copy, &statistics), SVS_OK);
    assert_int_equal(statistics.waited_ns, outer->waited_ns + inner->waited_ns);
    svs__tree_free(tree);
    svs_trace_free(copy);
    svs_trace_free(trace);
}

/* ---- several threads ---- */

enum { TEAM = 4 };

typedef struct team {
    svs__recorder *recorder;
    _Atomic(uint32_t) next, left;
    uint64_t phases; /* of each */
} team;

/* A worker of its own: roots with inner roots, which need no other worker. */
static void *work(void *argument) {
    team *t = argument;
    uint32_t worker = svs__fetch_add_relaxed(&t->next, 1);
    svs__observer *observer = &t->recorder->observer;
    uint64_t ordinal = 0;
    for (uint64_t i = 0; i < t->phases; i += 2) {
        svs__phase_start start = {SVS__PHASE_ROOT, 0, 0, ordinal};
        observer->phase_begins(observer, worker, &start);
        start.ordinal = ++ordinal;
        observer->phase_begins(observer, worker, &start);
        observer->phase_ends(observer, worker, ordinal, false);
        observer->phase_ends(observer, worker, ordinal, false);
    }
    (void)svs__fetch_sub_acq_rel(&t->left, 1);
    return NULL;
}

/* A copy has the beginning of what each worker will have recorded. */
static uint64_t look(svs__recorder *recorder) {
    svs_trace *copy = svs__recorder_copy(recorder);
    svs__steal_tree *tree = tree_of(copy);
    uint64_t phases = 0;
    for (uint32_t w = 0; w < tree->workers; w++) {
        const svs__tree_worker *of = &tree->worker[w];
        phases += of->phase_count;
        for (uint32_t p = 0; p < of->phase_count; p++) {
            assert_int_equal(of->phases[p].enclosing, p % 2 ? p - 1 : SVS__TREE_NONE);
            assert_int_equal(of->phases[p].start.ordinal, (p + 1) / 2);
            if (of->phases[p].open) assert_true(p + 2 >= of->phase_count);
        }
    }
    svs__tree_free(tree);
    svs_trace_free(copy);
    return phases;
}

TEST_CASE(workers_record_side_by_side_and_can_be_looked_at_meanwhile) {
    team t = {.phases = scaled(40000, 4000), .left = TEAM};
    svs__thread threads[TEAM];
    svs_trace *trace;
    uint64_t seen = 0;
    t.recorder = svs__recorder_new(&svs__allocator_libc, SVS_POLICY_HELP_FIRST, TEAM, PLENTY);
    for (int i = 0; i < TEAM; i++)
        assert_int_equal(svs__thread_create(&threads[i], work, &t, 0), SVS_OK);
    while (svs__load_acquire(&t.left) != 0) {
        uint64_t now = look(t.recorder);
        assert_true(now >= seen);
        seen = now;
        svs__yield();
    }
    for (int i = 0; i < TEAM; i++) svs__thread_join(&threads[i]);
    assert_int_equal(look(t.recorder), TEAM * t.phases);
    trace = svs__recorder_finish(t.recorder);
    assert_consistent(trace);
    svs_trace_free(trace);
}

/* ---- without memory ---- */

/* All that takes memory, with the allocator failing at call `fail_at`. @return false when that call
 * was never made. */
static bool all_with_failure(const unsigned char *bytes, size_t size, uint64_t fail_at) {
    counting counts = {.fail_at = fail_at};
    svs_allocator allocator = counting_allocator(&counts);
    svs__recorder *recorder = svs__recorder_new(&allocator, SVS_POLICY_HELP_FIRST, 4, PLENTY);
    svs_trace *trace = NULL;
    svs__steal_tree *verified = NULL;
    unsigned char *packed;
    char message[SVS_TRACE_MESSAGE] = "";
    if (recorder != NULL) {
        svs_trace *copy = svs__recorder_copy(recorder);
        svs_trace_free(copy);
        svs_trace_free(svs__recorder_finish(recorder));
    }
    if (svs__trace_unpack(&allocator, bytes, size, &trace, message, sizeof message) == SVS_OK) {
        size_t packed_size;
        svs_status status = svs__tree_new_verified(trace, &verified, message, sizeof message);
        assert_true(status == SVS_OK || status == SVS_E_NO_MEMORY);
        assert_int_equal(status == SVS_OK, verified != NULL);
        if (status) assert_string_equal(message, svs_status_text(SVS_E_NO_MEMORY));
        svs__tree_free(verified);
        status = svs__trace_pack(trace, &packed, &packed_size);
        if (status == SVS_OK) svs__release(&allocator, packed, packed_size, 1);
        else assert_int_equal(status, SVS_E_NO_MEMORY);
        svs_trace_free(trace);
    } else {
        assert_null(trace);
        assert_string_equal(message, svs_status_text(SVS_E_NO_MEMORY));
    }
    assert_int_equal(counts.live, 0);
    return counts.calls >= fail_at;
}

TEST_CASE(without_memory_everything_fails_cleanly) {
    svs__recorder *recorder;
    svs_trace *trace;
    unsigned char *bytes;
    size_t size;
    uint64_t calls = 1;
    fake f;
    fake_init(&f, 8, SVS_POLICY_HELP_FIRST, 4);
    recorder = fake_record(&f, &svs__allocator_libc, PLENTY);
    fake_run(&f, 600);
    trace = svs__recorder_finish(recorder);
    assert_int_equal(svs__trace_pack(trace, &bytes, &size), SVS_OK);
    while (all_with_failure(bytes, size, calls)) calls++;
    assert_true(calls > 20);
    svs__release(&svs__allocator_libc, bytes, size, 1);
    svs_trace_free(trace);
    fake_free(&f);
}

/* An allocator that fails in the middle of a run means lost events, not a failure. */
TEST_CASE(a_chunk_that_cannot_be_had_is_a_loss) {
    for (uint64_t fail_at = 5; fail_at < 8; fail_at++) {
        counting counts = {.fail_at = fail_at};
        svs_allocator allocator = counting_allocator(&counts);
        svs_trace_statistics statistics;
        svs__recorder *recorder;
        svs_trace *trace;
        fake f;
        fake_init(&f, 4, SVS_POLICY_WORK_FIRST, 2);
        recorder = fake_record(&f, &allocator, PLENTY);
        fake_run(&f, 60000);
        trace = svs__recorder_finish(recorder);
        assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
        assert_true(statistics.lost > 0);
        assert_int_equal(svs_trace_verify(trace, NULL, 0), SVS_E_TRACE);
        svs_trace_free(trace);
        fake_free(&f);
        assert_int_equal(counts.live, 0);
    }
}

int main(void) { return run_cases(NULL, NULL); }
