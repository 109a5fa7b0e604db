/* R1 against brute force: random links, NULLs, cycles, members and frees, over all signature sizes
 * and neighbourhoods.
 * `property_reach_random --seed N` repeats a run. */
#include "reach_model.h"

static uint64_t seed = 1;
static model m;

static uint32_t alive(uint64_t *random) {
    for (;;) {
        uint32_t i = model_below(random, m.count);
        if (!m.at[i].dead) return i;
    }
}

/* Links lead to nodes, embedded ones too. */
static int32_t target(uint64_t *random, uint32_t near, uint32_t spread) {
    for (;;) {
        uint32_t i = model_below(random, 4) ? near + model_below(random, 2 * spread + 1)
                                            : alive(random) + spread;
        if (i < spread || i - spread >= m.count) continue;
        i -= spread;
        if (!m.at[i].dead && m.at[i].node) return (int32_t)i;
    }
}

static void operate(uint64_t *random, uint32_t spread) {
    uint32_t what = model_below(random, 100), parent = alive(random), link = model_below(random, 3);
    if (what < 2 && m.count + 3 < MODEL_MAX && m.count < 400) {
        if (model_below(random, 3)) (void)model_node(&m);
        else (void)model_box(&m);
    } else if (what < 4 && !m.at[parent].embedded && m.count > 8) {
        model_free(&m, parent);
        (void)model_node(&m);
    } else if (what < 30) {
        model_link(&m, parent, link, -1);
    } else if (what < 33 && m.at[parent].node) {
        model_link(&m, parent, link, (int32_t)parent);
    } else {
        model_link(&m, parent, link, target(random, parent, spread));
    }
}

static void play(uint64_t *random, uint32_t round) {
    static const uint32_t hoods[] = {0, 1, 2, 3, 4, 8, 16};
    support s;
    svs_world_options options;
    uint32_t count = 2 + model_below(random, 60), spread = 1 + model_below(random, count);
    uint32_t operations = 50 + model_below(random, 400), every = 1 + model_below(random, 8);
    svs_world_options_init(&options);
    options.signature_bits = 64u << model_below(random, 7);
    options.neighbourhood = hoods[model_below(random, 7)];
    options.refresh = SVS_REFRESH_MANUAL;
    support_open_with(&s, 2, &options);
    model_init(&m, s.world);
    for (uint32_t i = 0; i < count; i++) (void)model_node(&m);
    for (uint32_t i = 0; i < operations; i++) {
        bool refreshed = model_below(random, 60) == 0;
        operate(random, spread);
        if (refreshed) support_ok(svs_world_refresh(s.world));
        if ((refreshed || i % every == 0) && !model_check(&m, refreshed))
            fail_msg("round %u, operation %u, %u bits, K %u, %s refresh: repeat with --seed %llu",
                     round, i, options.signature_bits, options.neighbourhood,
                     refreshed ? "after a" : "no", (unsigned long long)seed);
    }
    support_ok(svs_world_refresh(s.world));
    assert_true(model_check(&m, true));
    support_close(&s);
}

static void signatures_cover_and_after_refresh_equal_brute_force(void **state) {
    uint64_t random = seed, rounds = support_scaled(6000);
    (void)state;
    for (uint32_t round = 0; round < rounds; round++) play(&random, round);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signatures_cover_and_after_refresh_equal_brute_force)};
    if (argc == 3 && !strcmp(argv[1], "--seed")) seed = strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
