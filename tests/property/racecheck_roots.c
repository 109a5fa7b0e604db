/* Runs of several threads, which begin and end at random: those that overlap race where their bytes
 * conflict. When runs are nested in time or apart, nothing else does; when they overlap in any way,
 * a race may be told of two of which one ended before the other began, but of no thread's own runs.
 * Between runs a thread without a task allocates some of the bytes anew. */
#include "../unit/racecheck/actors.h"
#include "base/random.h"

#define EVENTS 40u
#define BYTES 64u

/* A run: which bytes it has accessed, that are still in the same life. */
typedef struct past {
    uint32_t actor;
    uint64_t bytes;
    bool write, going_on;
} past;

static past runs[EVENTS];
static uint32_t run_count;
static uint64_t racy, may_race;

static uint64_t bits(uint32_t from, uint32_t bytes) {
    return (bytes == 64 ? UINT64_MAX : ((UINT64_C(1) << bytes) - 1)) << from;
}

static part any_part(svs__random *random) {
    part p = {0, 1 + svs__random_below(random, 8), 1, svs__random_below(random, 2)};
    p.from = svs__random_below(random, BYTES - p.bytes + 1);
    return p;
}

static void begin_run(uint32_t number, part p) {
    past run = {number, bits(p.from, p.bytes), p.write, true};
    for (uint32_t i = 0; i < run_count; i++) {
        uint64_t common = runs[i].write || run.write ? runs[i].bytes & run.bytes : 0;
        if (runs[i].going_on) racy |= common;
        if (runs[i].actor != number) may_race |= common;
    }
    runs[run_count++] = run;
    begin(&actors[number], p);
}

static void end_run(past *run) {
    run->going_on = false;
    end(&actors[run->actor]);
}

static past *any_going_on(svs__random *random, bool nested) {
    past *going_on[ACTORS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < run_count; i++)
        if (runs[i].going_on) going_on[count++] = &runs[i];
    if (count == 0) return NULL;
    return going_on[nested ? count - 1 : svs__random_below(random, count)];
}

static bool is_idle(uint32_t number) {
    for (uint32_t i = 0; i < run_count; i++)
        if (runs[i].going_on && runs[i].actor == number) return false;
    return true;
}

static void renew(svs__random *random) {
    part p = any_part(random);
    svs_check_free(memory + p.from, p.bytes);
    svs_check_alloc(memory + p.from, p.bytes);
    for (uint32_t i = 0; i < run_count; i++) runs[i].bytes &= ~bits(p.from, p.bytes);
}

static void play_script(uint64_t seed, bool nested) {
    svs__random random;
    past *run;
    svs__random_seed(&random, seed);
    run_count = 0;
    racy = may_race = 0;
    for (uint32_t i = 0; i < EVENTS; i++) {
        uint32_t what = svs__random_below(&random, 8), number = svs__random_below(&random, ACTORS);
        run = any_going_on(&random, nested);
        if (what == 0) renew(&random);
        else if (what < 5 && is_idle(number)) begin_run(number, any_part(&random));
        else if (run != NULL) end_run(run);
    }
    while ((run = any_going_on(&random, nested)) != NULL) end_run(run);
}

TEST_CASE(what_overlaps_races) {
    uint64_t seeds = scaled(200, 20), some = 0;
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        enter_all(policy);
        for (uint64_t seed = 0; seed < seeds; seed++) {
            bool nested = seed % 2 == 0;
            uint64_t bytes;
            svs__store_relaxed(&found_bytes, 0);
            play_script(seed, nested);
            bytes = svs__load_relaxed(&found_bytes);
            if ((racy & ~bytes) != 0 || (bytes & ~(nested ? racy : may_race)) != 0)
                fail_msg("script %llu: found %llx instead of %llx", (unsigned long long)seed,
                         (unsigned long long)bytes, (unsigned long long)racy);
            some += racy != 0;
        }
        (void)leave_all();
    }
    assert_in_range(some, seeds / 4, 2 * seeds - 1);
}

int main(void) { return run_cases(NULL, NULL); }
