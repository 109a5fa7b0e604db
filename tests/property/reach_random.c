/* memobj.R1 against brute force: random links, NULLs, cycles, members and frees, over all signature
 * sizes and neighbourhoods, with the numbers of the refreshes beginning anywhere; and over many
 * lives of few objects, where what masters keep is bounded by what lives.
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

static const uint32_t hoods[] = {0, 1, 2, 3, 4, 8, 16};

/* The number of the first refresh: just below a wrap-around of shorter numbers, or 0. */
static uint64_t first_refresh(uint64_t *random) {
    static const uint32_t bits[] = {0, 0, 8, 16, 31, 32, 32, 63};
    uint64_t from = UINT64_C(1) << bits[model_below(random, 8)];
    return from < 8 ? 0 : from - 1 - model_below(random, 6);
}

/* A world with random options, and `count` nodes. */
static svs_world_options open_model(support *s, uint64_t *random, uint32_t threads, uint32_t widths,
                                    uint32_t count) {
    svs_world_options options;
    svs_world_options_init(&options);
    if (model_below(random, 2)) options.examine_budget = 0; /* upkeep from the start */
    options.signature_bits = 64u << model_below(random, widths);
    options.neighbourhood = hoods[model_below(random, 7)];
    options.refresh = SVS_REFRESH_MANUAL;
    support_open_with(s, threads, &options);
    s->world->refresh_mark = first_refresh(random);
    model_init(&m, s->world);
    for (uint32_t i = 0; i < count; i++) (void)model_node(&m);
    return options;
}

static void play(uint64_t *random, uint32_t round) {
    support s;
    uint32_t count = 2 + model_below(random, 60), spread = 1 + model_below(random, count);
    uint32_t operations = 50 + model_below(random, 400), every = 1 + model_below(random, 8);
    uint32_t begins = model_below(random, operations); /* upkeep, unless it has begun (memobj.R5) */
    svs_world_options options = open_model(&s, random, 2, 7, count);
    for (uint32_t i = 0; i < operations; i++) {
        bool refreshed = model_below(random, 60) == 0;
        operate(random, spread);
        if (i == begins) support_ok(svs__reach_begin_upkeep(s.world));
        if (refreshed) support_ok(svs_world_refresh(s.world));
        if ((refreshed || i % every == 0) && svs__reach_is_kept(s.world) &&
            !model_check(&m, refreshed))
            fail_msg("round %u, operation %u, %u bits, K %u, %s refresh: repeat with --seed %llu",
                     round, i, options.signature_bits, options.neighbourhood,
                     refreshed ? "after a" : "no", (unsigned long long)seed);
    }
    support_ok(svs_world_refresh(s.world));
    assert_true(model_check(&m, true));
    support_close(&s);
}

TEST_CASE(signatures_cover_and_after_refresh_equal_brute_force) {
    uint64_t random = seed, rounds = support_scaled(6000);
    for (uint32_t round = 0; round < rounds; round++) play(&random, round);
}

/* ---- many lives ---- */

/* After a refresh only what lives has a master, and each list and table has room for that much and
 * as much again (memobj.N4, memobj.N5). */
static uint64_t metadata_most(const support *s, uint64_t live) {
    uint64_t master = sizeof(svs__master) + sizeof(uint64_t) * svs__master_words(s->world);
    uint64_t members = 2 * sizeof(void *) * (s->world->options.neighbourhood + 2);
    uint64_t table = sizeof(svs__listener_table) + sizeof(void *) * (live * 8 / 3 + 16);
    return live * (master + members + table);
}

static void check_life(const support *s, bool refreshed) {
    svs_world_statistics statistics = support_world_statistics(s->world);
    assert_true(!svs__reach_is_kept(s->world) || model_check(&m, refreshed));
    assert_true(svs__reach_is_valid(s->world));
    if (!refreshed) return;
    assert_true(statistics.masters <= m.count);
    assert_true(statistics.metadata_bytes <= metadata_most(s, m.count));
}

static void live(uint64_t *random) {
    support s;
    uint32_t count = 3 + model_below(random, 30), every = 10 + model_below(random, 90);
    (void)open_model(&s, random, 1, 4, count);
    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t what = model_below(random, 100), at = model_below(random, count);
        if (what < 30) model_renew(&m, at);
        else if (what < 50) model_link(&m, at, model_below(random, 3), -1);
        else model_link(&m, at, model_below(random, 3), (int32_t)model_below(random, count));
        if (i % every) continue;
        check_life(&s, false);
        support_ok(svs_world_refresh(s.world));
        check_life(&s, true);
    }
    support_close(&s);
}

TEST_CASE(over_many_lives_signatures_stay_right_and_what_masters_keep_bounded) {
    uint64_t random = seed, rounds = support_scaled(200);
    for (uint64_t round = 0; round < rounds; round++) live(&random);
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "--seed")) seed = strtoull(argv[2], NULL, 10);
    return run_cases(NULL, NULL);
}
