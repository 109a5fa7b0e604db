/* What a trace records of graphs: each instance once, by the number that the body is told; stages;
 * conflicts that both instances have. A part of a file that was changed is refused. */
#include "sched/domain/queue/record.h"
#include "started.h"
#include "stealtree/file.h"
#include "stealtree/seen_record.h"
#include <string.h>
#include <svs/svs.h>

enum { PLACES = 16, ITEMS = 3000, THREADS = 4 };

typedef struct pair {
    uint32_t from, to, number;
} pair;

typedef struct setting {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *task;
} setting;

static svs_space *space;
static uint64_t ids[ITEMS];
static uint32_t work, fails_at;

static void pair_touch(svs_footprint *f, const pair *p) {
    svs_writes_at(f, space, p->from);
    svs_writes_at(f, space, p->to);
}
static svs_status pair_body(svs_context *context, pair *p) {
    volatile uint32_t sum = 0;
    for (uint32_t i = 0; i < work; i++) sum = sum + i;
    ids[p->number] = svs_instance_id(context);
    return p->number == fails_at ? 7 : SVS_OK;
}
SVS_TASK(pair, pair_body, pair_touch)

static void set_up(setting *s, svs_algorithm algorithm, uint32_t threads) {
    svs_graph_options graph;
    svs_graph_options_init(&graph);
    graph.name = "pairs";
    graph.algorithm = algorithm;
    s->runtime = started(threads, 20);
    assert_int_equal(svs_world_new(s->runtime, NULL, &s->world), SVS_OK);
    assert_int_equal(svs_space_new(s->world, "places", PLACES, &space), SVS_OK);
    assert_int_equal(svs_graph_new(s->world, &graph, &s->graph), SVS_OK);
    assert_int_equal(svs_graph_add_itemizer(s->graph, &pair_task, NULL, &s->task), SVS_OK);
    fails_at = UINT32_MAX;
    work = 0;
    memset(ids, 0, sizeof ids);
}

static void tear_down(const setting *s) {
    assert_int_equal(svs_graph_free(s->graph), SVS_OK);
    assert_int_equal(svs_space_free(space), SVS_OK);
    assert_int_equal(svs_world_free(s->world), SVS_OK);
    assert_int_equal(svs_runtime_free(s->runtime), SVS_OK);
}

static pair pair_of(uint32_t i) {
    uint32_t from = i * 2654435761u >> 20;
    return (pair){from % PLACES, (from + 1 + i % (PLACES - 1)) % PLACES, i};
}

static void send_all(const setting *s) {
    for (uint32_t i = 0; i < ITEMS; i++) {
        pair item = pair_of(i);
        assert_int_equal(svs_graph_send(s->graph, s->task, &item, 1, sizeof item), SVS_OK);
    }
}

static svs_trace *trace_run(const setting *s, size_t max_bytes, svs_status expected) {
    svs_trace_options options;
    svs_trace *trace;
    svs_trace_options_init(&options);
    options.max_bytes = max_bytes;
    send_all(s);
    assert_int_equal(svs_trace_start(s->runtime, &options), SVS_OK);
    assert_int_equal(svs_graph_run(s->graph, 1, NULL), expected);
    assert_int_equal(svs_trace_stop(s->runtime, &trace), SVS_OK);
    return trace;
}

/* Sends some items in a row. */
enum { IN_ROW = 6 };
typedef struct feed {
    svs_task *to;
    uint32_t first;
} feed;
static void feed_touch(svs_footprint *f, const feed *x) { (void)f, (void)x; }
static svs_status feed_body(svs_context *context, feed *x) {
    pair items[IN_ROW];
    for (uint32_t i = 0; i < IN_ROW; i++) items[i] = pair_of(x->first + i);
    return svs_send(context, x->to, items, IN_ROW, sizeof *items);
}
SVS_TASK(feed, feed_body, feed_touch)

static svs_trace *trace_fed_run(const setting *s) {
    svs_trace *trace;
    svs_task *feeder;
    assert_int_equal(svs_graph_add_itemizer(s->graph, &feed_task, NULL, &feeder), SVS_OK);
    assert_int_equal(svs_graph_add_flow(s->graph, feeder, s->task), SVS_OK);
    for (uint32_t i = 0; i < ITEMS; i += IN_ROW) {
        feed one = {s->task, i};
        assert_int_equal(svs_graph_send(s->graph, feeder, &one, 1, sizeof one), SVS_OK);
    }
    assert_int_equal(svs_trace_start(s->runtime, NULL), SVS_OK);
    assert_int_equal(svs_graph_run(s->graph, 1, NULL), SVS_OK);
    assert_int_equal(svs_trace_stop(s->runtime, &trace), SVS_OK);
    return trace;
}

static uint32_t number_of(uint64_t id) {
    uint32_t i = 0;
    while (i < ITEMS && ids[i] != id) i++;
    return i;
}

static bool meet(uint32_t a, uint32_t b, uint64_t at) {
    pair p = pair_of(a), q = pair_of(b);
    return (p.from == at || p.to == at) && (q.from == at || q.to == at);
}

/* A conflict is one of two items, at a place that both write. */
static void check_conflict(const svs__seen_deferral *d, const svs__names *names) {
    uint32_t at = 0, place = 0, one, other;
    svs__name_kind kind = SVS__NAME_GRAPH;
    const char *name = NULL;
    while (place < d->place && (name = svs__names_next(names, &at, &kind)) != NULL)
        place += kind == SVS__NAME_PLACE;
    if (!d->has_other) return;
    assert_string_equal(name, "places");
    assert_true(d->has_index && d->writes && d->cause == SVS__SEEN_TRUE);
    one = number_of(svs__order_of(d->seed));
    other = number_of(svs__order_of(d->other_seed));
    /* In a run that has failed, one that was deferred has told no number. */
    if (one < ITEMS && other < ITEMS) assert_true(meet(one, other, d->at));
}

typedef struct counts {
    uint64_t instances, staged, conflicts;
} counts;

/* hooks.O4, and each instance of pairs once, which is the task with this number. */
static counts check(const svs_trace *trace, uint32_t task) {
    static unsigned char seen_once[ITEMS + 1];
    counts c = {0, 0, 0};
    memset(seen_once, 0, sizeof seen_once);
    for (uint32_t w = 0; w < trace->workers; w++) {
        svs__seen seen = svs__seen_of(trace, w);
        svs__seen_event event;
        uint64_t end = 0;
        while (svs__seen_next(&seen, &event)) {
            if (event.tag == SVS__SEEN_DEFERRED) {
                check_conflict(&event.of.deferral, &trace->names);
                c.conflicts++;
            }
            if (event.tag == SVS__SEEN_STAGED && event.of.stage.kind != SVS__SEEN_WINDOW)
                c.staged += event.of.stage.width;
            if (event.tag != SVS__SEEN_RAN) continue;
            assert_true(event.of.group.begin_ns >= end &&
                        event.of.group.end_ns >= event.of.group.begin_ns);
            end = event.of.group.end_ns;
            if (event.of.group.task != task) continue;
            for (uint32_t i = 0; i < event.of.group.count; i++)
                assert_int_equal(seen_once[number_of(svs__order_of(event.seeds[i]))]++, 0);
            c.instances += event.of.group.count;
        }
        assert_null(seen.wrong);
    }
    assert_int_equal(seen_once[ITEMS], 0);
    return c;
}

static void try_algorithm(svs_algorithm algorithm, uint32_t threads, bool staged) {
    setting s;
    svs_trace *trace;
    svs_trace_statistics statistics;
    counts c;
    set_up(&s, algorithm, threads);
    work = 300;
    trace = trace_run(&s, (size_t)64 << 20, SVS_OK);
    c = check(trace, 0);
    assert_int_equal(c.instances, ITEMS);
    assert_int_equal(c.staged, staged ? ITEMS : 0);
    assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
    assert_int_equal(statistics.instances, ITEMS);
    assert_int_equal(statistics.explained, c.conflicts);
    assert_int_equal(statistics.lost_graphs, 0);
    assert_int_equal(svs_trace_verify(trace, NULL, 0), SVS_OK);
    if (algorithm != SVS_ALGORITHM_PROGRESSIVE) assert_true(c.conflicts > 0);
    svs_trace_free(trace);
    tear_down(&s);
}

TEST_CASE(instances_of_items_that_were_sent_in_a_row_are_recorded_each_with_its_number) {
    for (uint32_t threads = 1; threads <= THREADS; threads += 3)
        for (svs_algorithm a = SVS_ALGORITHM_STAGED; a <= SVS_ALGORITHM_WINDOWED; a++) {
            setting s;
            svs_trace *trace;
            set_up(&s, a, threads);
            trace = trace_fed_run(&s);
            assert_int_equal(check(trace, 0).instances, ITEMS);
            assert_int_equal(svs_trace_verify(trace, NULL, 0), SVS_OK);
            svs_trace_free(trace);
            tear_down(&s);
        }
}

/* Sends many items at once: a serial run runs them in pieces, which are told together, but not with
 * those of another burst. */
enum { IN_BURST = 300 };
typedef struct burst {
    svs_task *to;
    uint32_t first;
} burst;
static void burst_touch(svs_footprint *f, const burst *x) { (void)f, (void)x; }
static svs_status burst_body(svs_context *context, burst *x) {
    pair items[IN_BURST];
    for (uint32_t i = 0; i < IN_BURST; i++) items[i] = pair_of(x->first + i);
    return svs_send(context, x->to, items, IN_BURST, sizeof *items);
}
SVS_TASK(burst, burst_body, burst_touch)

static void send_bursts(const setting *s, svs_task *burster) {
    for (uint32_t i = 0; i < ITEMS; i += IN_BURST) {
        burst one = {s->task, i};
        assert_int_equal(svs_graph_send(s->graph, burster, &one, 1, sizeof one), SVS_OK);
    }
}

/* The first runs find how long the bodies take. */
TEST_CASE(instances_of_the_pieces_of_a_serial_are_recorded_each_with_its_number) {
    enum { RUNS = 20 };
    for (uint32_t threads = 1; threads <= THREADS; threads += 3) {
        setting s;
        svs_task *burster;
        set_up(&s, SVS_ALGORITHM_WINDOWED, threads);
        assert_int_equal(svs_graph_add_itemizer(s.graph, &burst_task, NULL, &burster), SVS_OK);
        assert_int_equal(svs_graph_add_flow(s.graph, burster, s.task), SVS_OK);
        for (uint32_t run = 0; run < RUNS; run++) {
            svs_trace *trace;
            memset(ids, 0, sizeof ids);
            send_bursts(&s, burster);
            assert_int_equal(svs_trace_start(s.runtime, NULL), SVS_OK);
            assert_int_equal(svs_graph_run(s.graph, 1, NULL), SVS_OK);
            assert_int_equal(svs_trace_stop(s.runtime, &trace), SVS_OK);
            assert_int_equal(check(trace, 0).instances, ITEMS);
            svs_trace_free(trace);
        }
        tear_down(&s);
    }
}

/* One worker runs the same instance of a transform in two runs: the difference of their seeds is
 * 0. */
TEST_CASE(an_instance_that_runs_again_is_recorded_again) {
    setting s;
    svs_trace *trace;
    svs_trace_statistics statistics;
    svs_task *transform;
    pair one = pair_of(3);
    svs__seen seen;
    svs__seen_event event;
    uint32_t found = 0;
    set_up(&s, SVS_ALGORITHM_WINDOWED, 1);
    assert_int_equal(svs_graph_add_transform(s.graph, &pair_task, &one, NULL, &transform), SVS_OK);
    assert_int_equal(svs_trace_start(s.runtime, NULL), SVS_OK);
    assert_int_equal(svs_graph_run(s.graph, 1, NULL), SVS_OK);
    assert_int_equal(svs_graph_run(s.graph, 1, NULL), SVS_OK);
    assert_int_equal(svs_trace_stop(s.runtime, &trace), SVS_OK);
    assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
    assert_int_equal(statistics.instances, 2);
    seen = svs__seen_of(trace, 0);
    while (svs__seen_next(&seen, &event))
        if (event.tag == SVS__SEEN_RAN)
            found += event.of.group.count == 1 && svs__order_of(event.seeds[0]) == ids[3];
    assert_null(seen.wrong);
    assert_int_equal(found, 2);
    svs_trace_free(trace);
    tear_down(&s);
}

TEST_CASE(each_instance_is_recorded_once_with_its_number) {
    for (uint32_t threads = 1; threads <= THREADS; threads += 3) {
        try_algorithm(SVS_ALGORITHM_WINDOWED, threads, true);
        try_algorithm(SVS_ALGORITHM_STAGED, threads, true);
        try_algorithm(SVS_ALGORITHM_PROGRESSIVE, threads, false);
    }
}

TEST_CASE(a_second_run_of_a_graph_has_the_same_names) {
    setting s;
    svs_trace *trace;
    set_up(&s, SVS_ALGORITHM_DEFAULT, 1);
    send_all(&s);
    assert_int_equal(svs_trace_start(s.runtime, NULL), SVS_OK);
    assert_int_equal(svs_graph_run(s.graph, 1, NULL), SVS_OK);
    assert_int_equal(svs_graph_run(s.graph, 3, NULL), SVS_OK);
    assert_int_equal(svs_trace_stop(s.runtime, &trace), SVS_OK);
    assert_int_equal(trace->names.tasks, 1);
    svs_trace_free(trace);
    tear_down(&s);
}

/* What ran before the failure is there, and nothing after it. */
TEST_CASE(a_run_that_fails_leaves_a_consistent_trace) {
    setting s;
    svs_trace *trace;
    counts c;
    set_up(&s, SVS_ALGORITHM_DEFAULT, 2);
    fails_at = 1000;
    trace = trace_run(&s, (size_t)64 << 20, 7);
    c = check(trace, 0);
    assert_true(c.instances > 0 && c.instances < ITEMS);
    assert_int_not_equal(ids[fails_at], 0);
    assert_int_equal(svs_trace_verify(trace, NULL, 0), SVS_OK);
    svs_trace_free(trace);
    tear_down(&s);
}

/* Two chunks: what does not fit is counted, and the steal tree remains complete. */
TEST_CASE(a_trace_of_graphs_is_bounded) {
    setting s;
    svs_trace *trace;
    svs_trace_statistics statistics;
    set_up(&s, SVS_ALGORITHM_DEFAULT, 1);
    trace = trace_run(&s, 2 * SVS__CHUNK_BYTES, SVS_OK);
    assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
    assert_true(statistics.lost_graphs > 0 && statistics.lost == 0);
    assert_true(check(trace, 0).instances < ITEMS);
    assert_true(statistics.bytes <= 2 * SVS__CHUNK_BYTES + trace->names.size);
    assert_int_equal(svs_trace_verify(trace, NULL, 0), SVS_OK);
    svs_trace_free(trace);
    tear_down(&s);
}

TEST_CASE(a_snapshot_has_the_instances_so_far) {
    setting s;
    svs_trace *trace, *snapshot;
    set_up(&s, SVS_ALGORITHM_DEFAULT, 1);
    send_all(&s);
    assert_int_equal(svs_trace_start(s.runtime, NULL), SVS_OK);
    assert_int_equal(svs_graph_run(s.graph, 1, NULL), SVS_OK);
    assert_int_equal(svs_trace_snapshot(s.runtime, &snapshot), SVS_OK);
    assert_int_equal(check(snapshot, 0).instances, ITEMS);
    assert_int_equal(svs_trace_stop(s.runtime, &trace), SVS_OK);
    svs_trace_free(trace);
    svs_trace_free(snapshot);
    tear_down(&s);
}

/* ---- rows ---- */

enum { TOLD = 300 }; /* groups: several chunks of them */

/* A row as long as a group may be; or rows with steps of all sizes behind a row without, one that
 * begins with the seed before it, and a single one. @return how many rows. */
static uint32_t rows_of(uint32_t i, svs__seen_row *rows, unsigned char *steps) {
    uint64_t seed = i * UINT64_C(0x9E3779B97F4A7C15);
    if (i % 3 == 0) {
        rows[0] = (svs__seen_row){seed, SVS__SEEN_GROUP_MAX - i % 2, NULL};
        return 1;
    }
    for (uint32_t k = 0; k < SVS__SEEN_STEPS_MAX; k++)
        steps[k] = (unsigned char)(1 + (k + i) % 127);
    rows[0] = (svs__seen_row){seed, 200, NULL};
    rows[1] = (svs__seen_row){seed + 199, 1 + SVS__SEEN_STEPS_MAX / 2, steps};
    rows[2] =
        (svs__seen_row){seed - 5, 1 + SVS__SEEN_STEPS_MAX / 2, steps + SVS__SEEN_STEPS_MAX / 2};
    rows[3] = (svs__seen_row){seed, 1, NULL};
    return 4;
}

static void tell_rows(svs__recorder *recorder, uint32_t i) {
    svs__seen_row rows[4];
    unsigned char steps[SVS__SEEN_STEPS_MAX];
    svs__seen_group group = {.rows = rows, .row_count = rows_of(i, rows, steps)};
    for (uint32_t r = 0; r < group.row_count; r++) group.count += rows[r].count;
    group.begin_ns = group.end_ns = svs__time_ns();
    svs__recorder_graphs.ran(&recorder->observer, 0, &group);
}

static void check_rows(const svs__seen_event *event, uint32_t i) {
    svs__seen_row rows[4];
    unsigned char steps[SVS__SEEN_STEPS_MAX];
    uint32_t count = rows_of(i, rows, steps), at = 0;
    for (uint32_t r = 0; r < count; r++) {
        uint64_t seed = rows[r].seed;
        for (uint32_t k = 0; k < rows[r].count; k++) {
            if (k) seed += rows[r].steps ? rows[r].steps[k - 1] : 1;
            assert_true(at < event->of.group.count && event->seeds[at] == seed);
            at++;
        }
    }
    assert_int_equal(at, event->of.group.count);
}

TEST_CASE(rows_and_steps_are_read_as_they_were_told) {
    svs__recorder *recorder =
        svs__recorder_new(&svs__allocator_libc, SVS_POLICY_HELP_FIRST, 1, SIZE_MAX);
    const char *task = "pair";
    svs__seen_graph graph = {"rows", 1, &task};
    svs_trace *trace;
    svs__seen seen;
    svs__seen_event event;
    uint32_t told = 0;
    assert_non_null(recorder);
    assert_int_equal(svs__recorder_graphs.begins(&recorder->observer, &graph), 0);
    for (uint32_t i = 0; i < TOLD; i++) tell_rows(recorder, i);
    trace = svs__recorder_finish(recorder);
    seen = svs__seen_of(trace, 0);
    while (svs__seen_next(&seen, &event)) check_rows(&event, told++);
    assert_null(seen.wrong);
    assert_int_equal(told, TOLD);
    svs_trace_free(trace);
}

/* ---- files ---- */

static unsigned char *packed(size_t *size) {
    setting s;
    svs_trace *trace;
    unsigned char *bytes;
    set_up(&s, SVS_ALGORITHM_DEFAULT, 1);
    for (uint32_t i = 0; i < 40; i++) {
        pair item = pair_of(i);
        assert_int_equal(svs_graph_send(s.graph, s.task, &item, 1, sizeof item), SVS_OK);
    }
    assert_int_equal(svs_trace_start(s.runtime, NULL), SVS_OK);
    assert_int_equal(svs_graph_run(s.graph, 1, NULL), SVS_OK);
    assert_int_equal(svs_trace_stop(s.runtime, &trace), SVS_OK);
    trace->allocator = svs__allocator_libc;
    assert_int_equal(svs__trace_pack(trace, &bytes, size), SVS_OK);
    svs_trace_free(trace);
    tear_down(&s);
    return bytes;
}

static void seal(unsigned char *bytes, size_t size) {
    uint64_t sum;
    for (unsigned i = 0; i < 8; i++)
        bytes[SVS__FILE_AT_LENGTH + i] = (unsigned char)((uint64_t)size >> 8 * i);
    sum = svs__file_sum(bytes, size - SVS__FILE_SUM);
    for (unsigned i = 0; i < 8; i++)
        bytes[size - SVS__FILE_SUM + i] = (unsigned char)(sum >> 8 * i);
}

/* Reads what may be wrong beneath a right checksum. A trace that is accepted is the very bytes. */
static svs_status read_again(const unsigned char *bytes, size_t size) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace;
    unsigned char *again;
    size_t again_size;
    svs_status status =
        svs__trace_unpack(&svs__allocator_libc, bytes, size, &trace, message, sizeof message);
    if (status) {
        assert_null(trace);
        assert_true(strlen(message) > 10);
        return status;
    }
    assert_int_equal(svs__trace_pack(trace, &again, &again_size), SVS_OK);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    svs__release(&trace->allocator, again, again_size, 1);
    svs_trace_free(trace);
    return SVS_OK;
}

TEST_CASE(bytes_of_graphs_are_read_as_they_were_written) {
    size_t size;
    unsigned char *bytes = packed(&size);
    assert_int_equal(bytes[SVS__FILE_AT_VERSION], SVS__FILE_VERSION_GRAPHS);
    assert_int_equal(read_again(bytes, size), SVS_OK);
    free(bytes);
}

TEST_CASE(a_changed_or_cut_part_of_graphs_is_refused_or_sound) {
    size_t size, refused = 0;
    unsigned char *bytes = packed(&size), *copy = malloc(size);
    for (size_t i = SVS__FILE_HEAD; i < size - SVS__FILE_SUM; i++) {
        memcpy(copy, bytes, size);
        copy[i] ^= 0xff;
        assert_int_equal(read_again(copy, size), SVS_E_TRACE); /* the checksum */
        for (unsigned change = 1; change < 256; change <<= 1) {
            copy[i] = bytes[i] ^ (unsigned char)change;
            seal(copy, size);
            refused += read_again(copy, size) != SVS_OK;
        }
        memcpy(copy, bytes, i);
        seal(copy, i + SVS__FILE_SUM);
        assert_int_equal(read_again(copy, i + SVS__FILE_SUM), SVS_E_TRACE);
    }
    assert_true(refused > 100);
    free(copy);
    free(bytes);
}

int main(void) { return run_cases(NULL, NULL); }
