/* The characteristics of a program (ranks/examples/multipol) whose counts are known by
 * construction. */
#include "../../examples/multipol/characteristics.h"
#include "ranks/program.h"

enum { RANKS = 3, PLAIN = 7, SMALL = 50, LARGE = 20, WAITS = 4 };

typedef struct small {
    uint64_t value;
} small;

typedef struct large {
    uint64_t values[3];
} large;

typedef struct own {
    characteristics observed;
    svs_counter reached;
} own;

static void take_small(svs_ranks *ranks, void *part, const small *records, uint32_t count) {}
static svs_status take_large(svs_ranks *ranks, void *state) { return SVS_OK; }
SVS_HANDLER_IN_PLACE(smalls, small, take_small)
SVS_HANDLER(larges, large, take_large, SVS_DISPATCH_FIFO)
static const svs_handler *const handlers[] = {&smalls, &larges};

static svs_status nothing(svs_ranks *ranks, void *state) { return SVS_OK; }

/* Raises the counter for which the thread waits: each wait is one. */
static svs_status raise(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_counter_add(ranks, &mine->reached, 1);
    return SVS_OK;
}

static svs_status make(svs_ranks *ranks, svs_fiber_function *function) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, function, NULL, 0, NULL, &fiber);
    return status != SVS_OK ? status : svs_fiber_enable(ranks, fiber);
}

static svs_status wait_often(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = SVS_OK;
    for (int64_t i = 1; i <= WAITS && status == SVS_OK; i++) {
        status = make(ranks, raise);
        if (status == SVS_OK) status = svs_await(ranks, &mine->reached, i);
    }
    return status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = SVS_OK;
    svs_counter_init(&mine->reached, 0);
    for (int i = 0; i < PLAIN && status == SVS_OK; i++) status = make(ranks, nothing);
    for (uint32_t to = 0; to < RANKS; to++) {
        const small one = {to};
        const large other = {{to}};
        for (int i = 0; i < SMALL && status == SVS_OK; i++) status = smalls_post(ranks, to, &one);
        for (int i = 0; i < LARGE && status == SVS_OK; i++) status = larges_post(ranks, to, &other);
    }
    return status != SVS_OK ? status : svs_thread_spawn(ranks, wait_often, NULL, 0, NULL);
}

static svs_status observe(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    return characteristics_begin(&mine->observed, ranks, "not written");
}

#define EXPECT(name, value, expected)                                                              \
    if ((value) != (uint64_t)(expected)) return name

static uint64_t buckets_of(const characteristics_bucket *histogram, uint64_t *sum) {
    uint64_t count = 0;
    *sum = 0;
    for (uint32_t i = 0; i < CHARACTERISTICS_BUCKETS; i++) {
        count += histogram[i].count;
        *sum += histogram[i].sum;
        if (histogram[i].sum < histogram[i].count * characteristics_from(i)) return UINT64_MAX;
        if (histogram[i].count != 0 &&
            histogram[i].sum / histogram[i].count >= characteristics_from(i + 1))
            return UINT64_MAX;
    }
    return count;
}

static const char *compare(const characteristics_counts *of, const svs_ranks_statistics *counted) {
    /* Records of the library's own are not: the program makes no object. */
    const uint64_t events = (RANKS - 1) * (SMALL + LARGE);
    const uint64_t bytes = (RANKS - 1) * (SMALL * sizeof(small) + LARGE * sizeof(large));
    uint64_t sum;
    /* The first fiber, plain ones, those of records, a thread, and what it waits for. */
    EXPECT("threads", of->threads, 1 + PLAIN + RANKS * LARGE + 1 + WAITS);
    EXPECT("fibers", of->fibers, of->threads + WAITS); /* it goes on after each wait */
    EXPECT("synchronization events", of->sync_events, WAITS);
    EXPECT("communication events", of->communication_events, events);
    EXPECT("communication bytes", of->communication_bytes, bytes);
    EXPECT("own records", of->own_records, SMALL + LARGE);
    EXPECT("calls in place", of->in_place, counted->runs_in_place);
    if (of->packet_bytes < bytes || of->packet_bytes > counted->byte_sent) return "packets' bytes";
    EXPECT("fiber times", buckets_of(of->fiber_ns, &sum), of->fibers);
    EXPECT("record sizes", buckets_of(of->record_bytes, &sum), events);
    EXPECT("sums of record sizes", sum, bytes);
    return NULL;
}

static const char *check(program_run *run) {
    for (uint32_t i = 0; i < RANKS; i++) {
        const own *mine = program_data(run, i);
        const char *why = compare(&mine->observed.counts, &run->result[i].statistics);
        if (why != NULL) return why;
        if (mine->observed.depth != 0) return "a fiber has begun, and not ended";
    }
    return NULL;
}

PROGRAM(known, .ranks = RANKS, .bytes = sizeof(own), PROGRAM_HANDLERS(handlers), .prepare = observe,
        .start = start, .check = check);

TEST_CASE(counts_are_those_that_the_program_is_made_of) {
    program_sim(&known, 100);
    program_local(&known, 10);
}

TEST_CASE(buckets_follow_each_other) {
    uint64_t before = 0;
    for (uint32_t i = 1; i < CHARACTERISTICS_BUCKETS; i++) {
        uint64_t from = characteristics_from(i);
        assert_true(from > before && (from < 16 || from - before <= before / 8));
        before = from;
    }
    assert_true(characteristics_from(CHARACTERISTICS_BUCKETS) == UINT64_MAX);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
