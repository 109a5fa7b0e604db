/* Memory begins a new life, exactly as far as it is said: blocks of any size, anywhere, within one
 * strip of the shadow or over many pages of it. */
#include "../worksteal/running.h"
#include <svs/async.h>
#include <svs/check.h>

#define BYTES ((size_t)3 << 20)

static _Alignas(4096) unsigned char memory[BYTES];

typedef struct life {
    size_t from, bytes;
} life;

/* Of memory: the lowest and the highest byte that raced below `from`, and above the end. */
static struct {
    life of;
    size_t below, above; /* bytes that raced there */
    size_t inside;
} seen;

static void see(const svs_check_race *race, void *argument) {
    size_t at = (size_t)((uintptr_t)race->address - (uintptr_t)memory);
    for (size_t i = at; i < at + race->bytes; i++)
        if (i < seen.of.from) seen.below++;
        else if (i < seen.of.from + seen.of.bytes) seen.inside++;
        else seen.above++;
}

static void write_all(svs_async_context *async, void *argument) { svs_check_write(memory, BYTES); }

/* By one worker, under work-first: the child has ended when its spawner goes on. */
static void live(svs_async_context *async, void *argument) {
    const life *l = argument;
    size_t end = l->from + l->bytes;
    svs_async(async, write_all, argument, sizeof *l);
    svs_check_alloc(memory + l->from, l->bytes);
    svs_check_write(memory + l->from, l->bytes);
    if (l->from >= 9) svs_check_write(memory + l->from - 9, 9);
    if (BYTES - end >= 9) svs_check_write(memory + end, 9);
}

TEST_CASE(a_block_of_any_size_begins_anew) {
    static const size_t sizes[] = {1,     7,     8,     63,     64,    511,     512,    4096,
                                   65535, 65536, 73728, 131072, 99999, 1 << 20, 1 << 21};
    static const size_t places[] = {0,    1,    8,     60,     64,      511,    512,
                                    1000, 4096, 65529, 118784, 1 << 19, 700000, BYTES};
    svs_runtime *runtime = started_as(SVS_POLICY_WORK_FIRST, 1, 20);
    svs_check_options options;
    svs_check_options_init(&options);
    options.found = see;
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            life l = {places[p], sizes[s]};
            if (l.from + l.bytes > BYTES) l.from = BYTES - l.bytes;
            seen.of = l;
            seen.below = seen.inside = seen.above = 0;
            assert_int_equal(svs_async_run(runtime, live, &l), SVS_OK);
            assert_int_equal(seen.inside, 0);
            assert_int_equal(seen.below, l.from >= 9 ? 9 : 0);
            assert_int_equal(seen.above, BYTES - l.from - l.bytes >= 9 ? 9 : 0);
        }
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
