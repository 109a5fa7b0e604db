/* Generic asyncs and finishes through the face: the arguments of a child, and the finish that waits
 * for it. */
#include "support.h"

/* Children with arguments of any size: each byte follows from its place and its child. */
static const size_t sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 95, 96, 97, 100, 5000};
#define SIZES (sizeof sizes / sizeof *sizes)
#define COPIES 20u

typedef struct parcel {
    unsigned char *ran; /* plain: one for each child */
    _Atomic(uint32_t) wrong;
} parcel;

static parcel parcels; /* a child of one byte has no room for a pointer */

static unsigned char byte_of(uint32_t child, size_t at) {
    return at == 0 ? (unsigned char)child : (unsigned char)(child * 31 + at * 7);
}

static void open_parcel(svs_async_context *async, void *argument) {
    unsigned char *bytes = argument;
    uint32_t child = bytes[0];
    size_t size = sizes[child % SIZES];
    bool right = (uintptr_t)argument % 16 == 0;
    for (size_t i = 0; i < size; i++) right = right && bytes[i] == byte_of(child, i);
    memset(bytes, 0xee, size); /* its own copy */
    if (!right) (void)svs__fetch_add_relaxed(&parcels.wrong, 1);
    parcels.ran[child]++;
}

static void send_parcels(svs_async_context *async, void *argument) {
    unsigned char bytes[5000];
    for (uint32_t child = 0; child < SIZES * COPIES && child < 256; child++) {
        size_t size = sizes[child % SIZES];
        for (size_t i = 0; i < size; i++) bytes[i] = byte_of(child, i);
        svs_async(async, open_parcel, bytes, size);
        for (size_t i = 0; i < size; i++)
            if (bytes[i] != byte_of(child, i)) (void)svs__fetch_add_relaxed(&parcels.wrong, 1);
        memset(bytes, 0xdd, size); /* it has been copied */
    }
}

static void expect_parcels(svs_runtime *runtime) {
    static unsigned char ran[256];
    memset(ran, 0, sizeof ran);
    parcels.ran = ran;
    svs__store_relaxed(&parcels.wrong, 0);
    assert_int_equal(svs_async_run(runtime, send_parcels, NULL), SVS_OK);
    for (uint32_t child = 0; child < 256; child++) assert_int_equal(ran[child], 1);
    assert_int_equal(parcels.wrong, 0);
}

TEST_CASE(arguments_of_every_size_arrive_aligned) {
    assert_true(SIZES * COPIES >= 256);
    EACH_TEAM(on) {
        svs_runtime *runtime = team_of(on);
        for (uint64_t i = scaled(20, 2); i-- != 0;) expect_parcels(runtime);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

typedef struct failing {
    counting counts;
    _Atomic(uint32_t) fails;
} failing;

static void *allocate_or_fail(size_t size, size_t alignment, uint32_t worker, void *argument) {
    failing *f = argument;
    if (svs__load_relaxed(&f->fails)) return NULL;
    return counting_allocate(size, alignment, worker, &f->counts);
}

static void release_counted(void *memory, size_t size, size_t alignment, uint32_t worker,
                            void *argument) {
    counting_release(memory, size, alignment, worker, &((failing *)argument)->counts);
}

TEST_CASE(without_memory_large_arguments_are_served_in_place) {
    EACH_TEAM(on) {
        failing f = {0};
        svs_runtime_options options;
        svs_runtime *runtime;
        svs_runtime_options_init(&options);
        options.policy = on->policy;
        options.threads = on->threads;
        options.allocator = (svs_allocator){allocate_or_fail, release_counted, &f};
        runtime = started_with(&options);
        expect_parcels(runtime);
        svs__store_relaxed(&f.fails, 1);
        expect_parcels(runtime);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(f.counts.live, 0);
        assert_int_equal(f.counts.live_bytes, 0);
    }
}

/* A child without an argument. */
static void count_one(svs_async_context *async, void *argument) {
    (void)svs__fetch_add_relaxed(&parcels.wrong, 1);
}

static void send_nothing(svs_async_context *async, void *argument) {
    for (int i = 0; i < 100; i++) svs_async(async, count_one, NULL, 0);
}

TEST_CASE(an_argument_of_no_bytes_may_be_null) {
    EACH_TEAM(on) {
        svs_runtime *runtime = team_of(on);
        svs__store_relaxed(&parcels.wrong, 0);
        assert_int_equal(svs_async_run(runtime, send_nothing, NULL), SVS_OK);
        assert_int_equal(parcels.wrong, 100);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* Finishes within finishes, each with children that leave children behind, down to `depth`. The
 * counts are plain: only the ends of the finishes order them. */
#define WIDTH 3
#define LEVELS 5

typedef struct level level;
struct level {
    level *below[WIDTH];
    uint32_t depth;
    uint32_t ran, escaped[2 * WIDTH]; /* by the child that wrote it */
    uint32_t early;
};

static void enter_level(svs_async_context *async, void *argument);

static void inside(svs_async_context *async, void *argument) {
    level *l = argument;
    for (uint32_t i = 0; i < 2 * WIDTH; i++) {
        runaway r = {&l->escaped[i], i * 2};
        svs_async(async, run_away, &r, sizeof r);
        if (i < WIDTH && l->below[i] != NULL)
            svs_async(async, enter_level, &l->below[i], sizeof l->below[i]);
    }
}

static bool is_done(const level *l) {
    bool done = l->ran == 1;
    for (uint32_t i = 0; i < 2 * WIDTH; i++) done = done && l->escaped[i] == 1;
    for (uint32_t i = 0; i < WIDTH; i++) done = done && (!l->below[i] || is_done(l->below[i]));
    return done;
}

static void nothing(svs_async_context *async, void *argument) {}

static void enter_level(svs_async_context *async, void *argument) {
    level *l = *(level **)argument;
    svs_finish(async, nothing, NULL);
    l->ran++;
    svs_finish(async, inside, l);
    if (!is_done(l)) l->early = 1;
    svs_finish(async, nothing, NULL);
}

static level *level_new(uint32_t depth) {
    level *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->depth = depth;
    for (uint32_t i = 0; i < WIDTH && depth != 0; i++) l->below[i] = level_new(depth - 1);
    return l;
}

static void level_free(level *l) {
    assert_int_equal(l->early, 0);
    for (uint32_t i = 0; i < WIDTH; i++)
        if (l->below[i]) level_free(l->below[i]);
    free(l);
}

TEST_CASE(each_finish_waits_for_all_that_is_below_it) {
    EACH_TEAM(on) {
        svs_runtime *runtime = team_of(on);
        for (uint64_t i = scaled(10, 1); i-- != 0;) {
            level *top = level_new(LEVELS);
            assert_int_equal(svs_async_run(runtime, enter_level, &top), SVS_OK);
            assert_true(is_done(top));
            level_free(top);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
