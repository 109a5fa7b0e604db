/* Odd addresses, the log, and refusals. */
#include "checked.h"

/* ---- odd addresses ---- */

/* Of two leaves of the shadow at least: of 4 MiB each. */
static _Alignas(64) unsigned char large[(size_t)5 << 20];

static void touch_large(svs_async_context *async, void *argument) {
    const bool write = *(bool *)argument;
    if (write) svs_check_write(large + 3, sizeof large - 8);
    else svs_check_read(large + 3, sizeof large - 8);
}

static void touch_large_twice(svs_async_context *async, void *argument) {
    bool write = true;
    svs_async(async, touch_large, &write, sizeof write);
    write = false;
    svs_async(async, touch_large, &write, sizeof write);
}

TEST_CASE(what_spans_leaves_races_byte_for_byte) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs_check_options options = options_that_find();
        options.found = count_bytes;
        options.compare = false;
        svs__store_relaxed(&racy_bytes, 0);
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, touch_large_twice, NULL), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs__load_relaxed(&racy_bytes), sizeof large - 8);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static void touch_nowhere(svs_async_context *async, void *argument) {
    const uintptr_t beyond = (uintptr_t)1 << SVS__ADDRESS_BITS;
    svs_check_write((void *)beyond, 8);
    svs_check_write((void *)(beyond - 8), 16);
    svs_check_write((void *)UINTPTR_MAX, 2); /* around the end: nothing */
    svs_check_read(memory, 0);
    svs_check_alloc((void *)beyond, 8);
    svs_check_alloc((void *)UINTPTR_MAX, 2);
    svs_check_alloc(memory, 0);
}

TEST_CASE(addresses_that_no_program_has_are_passed_over) {
    svs_check_summary summary;
    assert_int_equal(check_on(SVS_POLICY_HELP_FIRST, touch_nowhere, NULL, &summary), 0);
    assert_int_equal(summary.lost, 0);
    assert_int_equal(svs__load_relaxed(&found_elsewhere), 0);
}

/* ---- the log ---- */

typedef struct heard {
    uint32_t lines, races;
} heard;

static void hear(int level, const char *text, void *argument) {
    heard *h = argument;
    h->lines++;
    if (level == SVS_LOG_ERROR && strstr(text, "svs: race: ") != NULL) h->races++;
    else if (level == SVS_LOG_ERROR && strncmp(text, "race: ", 6) == 0) h->races++;
}

static void race_often(svs_async_context *async, void *argument) {
    for (uint32_t i = 0; i < 40; i++) {
        pair p = {{{8 * i, 8, 1, true}, {8 * i, 8, 1, i % 2 == 0}}};
        svs_async(async, access_part, &p.parts[0], sizeof p.parts[0]);
        svs_async(async, access_part, &p.parts[1], sizeof p.parts[1]);
    }
}

TEST_CASE(findings_without_a_callback_are_logged_sixteen_times) {
    svs_runtime_options logged;
    svs_check_summary summary;
    svs_runtime *runtime;
    heard h = {0, 0};
    svs_runtime_options_init(&logged);
    logged.threads = 1;
    logged.log = hear;
    logged.log_argument = &h;
    runtime = started_with(&logged);
    assert_int_equal(svs_check_start(runtime, NULL), SVS_OK);
    assert_int_equal(svs_async_run(runtime, race_often, NULL), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_int_equal(summary.races, 40);
    assert_int_equal(h.races, 16);
    assert_int_equal(h.lines, 16);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* ---- misuse ---- */

TEST_CASE(misuse_is_refused) {
    svs_runtime *runtime = started_as(SVS_POLICY_HELP_FIRST, 1, 20);
    svs_check_options options = options_that_find();
    svs_check_summary summary;
    assert_int_equal(svs_check_start(NULL, NULL), SVS_E_NULL);
    assert_int_equal(svs_check_stop(NULL, NULL), SVS_E_NULL);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_E_STATE);
    options.lca = SVS_CHECK_LCA_WALK + 1;
    assert_int_equal(svs_check_start(runtime, &options), SVS_E_INVALID);
    options = options_that_find();
    options.size = 3;
    assert_int_equal(svs_check_start(runtime, &options), SVS_E_VERSION);
    assert_int_equal(svs_check_start(runtime, NULL), SVS_OK);
    assert_int_equal(svs_check_start(runtime, NULL), SVS_E_BUSY);
    assert_int_equal(svs_runtime_free(runtime), SVS_E_BUSY);
    svs_check_write(memory, 8); /* not in a run: nothing happens */
    assert_int_equal(svs_check_summary_get(runtime, &summary), SVS_OK);
    assert_int_equal(summary.accesses, 0);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
