/* Runs of several threads, which begin and end at random: those that overlap race where their bytes
 * conflict, and nothing else does. One exception: when runs overlap in any way, and three have read
 * a byte since it was written, a race may be told of a later write and a run that had ended, though
 * of no thread's own runs. Between runs a thread without a task allocates some of the bytes anew.
 */
#include "../unit/dpst/actors.h"
#include "base/random.h"

#define EVENTS 48u
#define BYTES 64u

/* An access of a run: to which bytes, that are still in the same life. */
typedef struct past {
    uint32_t actor, run;
    uint64_t bytes;
    bool write, going_on; /* the run, */
    uint32_t before;      /* and the first run that begins behind it */
} past;

static past runs[EVENTS]; /* in the order of their accesses */
static uint32_t run_count, runs_begun;
static uint64_t racy, may_race;
static uint32_t kinds; /* one in so many runs writes */

static uint64_t bits(uint32_t from, uint32_t bytes) {
    return (bytes == 64 ? UINT64_MAX : ((UINT64_C(1) << bytes) - 1)) << from;
}

static part any_part(svs__random *random) {
    part p = {0, 1 + svs__random_below(random, 8), 1, svs__random_below(random, kinds) == 0};
    p.from = svs__random_below(random, BYTES - p.bytes + 1);
    return p;
}

/* The bytes of an access that its run had not read since they were written. */
static uint64_t first_read(uint32_t number) {
    uint64_t bytes = runs[number].bytes, since = bytes;
    for (uint32_t i = number; i-- > 0;) {
        if (runs[i].write) since &= ~runs[i].bytes;
        else if (runs[i].run == runs[number].run) bytes &= ~(runs[i].bytes & since);
    }
    return bytes;
}

/* The bytes that three runs have read, or more, since they were written. */
static uint64_t crowded(void) {
    uint64_t readers[3] = {0, 0, 0}; /* at least so many, and one */
    for (uint32_t i = 0; i < run_count; i++) {
        uint64_t bytes = first_read(i);
        for (uint32_t k = 3; k-- > 0;) {
            if (runs[i].write) readers[k] &= ~runs[i].bytes;
            else readers[k] |= bytes & (k == 0 ? UINT64_MAX : readers[k - 1]);
        }
    }
    return readers[2];
}

static void note(uint32_t number, uint32_t which, part p) {
    past run = {number, which, bits(p.from, p.bytes), p.write, true, UINT32_MAX};
    uint64_t forgiven = crowded();
    for (uint32_t i = 0; i < run_count; i++) {
        uint64_t common = runs[i].write || run.write ? runs[i].bytes & run.bytes : 0;
        if (runs[i].before > which && runs[i].run != which) racy |= common;
        if (runs[i].actor != number && !runs[i].write) may_race |= common & forgiven;
    }
    runs[run_count++] = run;
}

/* @param asyncs that read beside each other. */
static void begin_run(uint32_t number, part p, uint32_t asyncs) {
    note(number, runs_begun++, p);
    actors[number].asyncs = p.write ? 0 : asyncs;
    begin(&actors[number], p);
}

static void go_on(const past *run, part p) {
    uint32_t number = run->actor;
    note(number, run->run, p);
    again(&actors[number], p);
}

static void end_run(uint32_t number) {
    for (uint32_t i = 0; i < run_count; i++)
        if (runs[i].actor == number && runs[i].going_on) {
            runs[i].going_on = false;
            runs[i].before = runs_begun;
        }
    end(&actors[number]);
}

/* @param nested the one that began last. */
static past *any_going_on(svs__random *random, bool nested) {
    past *going_on[EVENTS];
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
    const past *run;
    svs__random_seed(&random, seed);
    run_count = runs_begun = 0;
    racy = may_race = 0;
    kinds = 2 + (uint32_t)(seed % 3) * 4;
    for (uint32_t i = 0; i < EVENTS; i++) {
        uint32_t what = svs__random_below(&random, 8), number = svs__random_below(&random, ACTORS);
        run = any_going_on(&random, nested);
        if (what == 0) renew(&random);
        else if (what < 5 && is_idle(number))
            begin_run(number, any_part(&random), svs__random_below(&random, 4));
        else if (run != NULL && what == 7) go_on(run, any_part(&random));
        else if (run != NULL) end_run(run->actor);
    }
    while ((run = any_going_on(&random, nested)) != NULL) end_run(run->actor);
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
            if ((racy & ~bytes) != 0 || (bytes & ~racy & (nested ? UINT64_MAX : ~may_race)) != 0)
                fail_msg("script %llu: found %llx instead of %llx", (unsigned long long)seed,
                         (unsigned long long)bytes, (unsigned long long)racy);
            some += racy != 0;
        }
        (void)leave_all();
    }
    assert_in_range(some, seeds / 4, 2 * seeds - 1);
}

int main(void) { return run_cases(NULL, NULL); }
