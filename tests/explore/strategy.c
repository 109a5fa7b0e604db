#include "explore/strategy.h"
#include "base/random.h"
#include <stdio.h>
#include <stdlib.h>

/* Decisions of one exhaustive or replayed run. */
#define DECISIONS 65536u

static struct {
    explore_strategy kind;
    svs__random random;
    uint64_t hash;
    /* random: */
    uint32_t rate, holding; /* one in `rate` points switches; one in `holding` stores is held */
    /* pct: */
    uint32_t priority[EXPLORE_THREADS];
    uint32_t lowest;
    uint64_t point, length, change[2];
    /* exhaustive, replay: */
    uint32_t bound, budget;
    bool yielded;       /* the thread that was chosen last has yielded */
    uint32_t at, depth; /* the next decision; so many are given */
    uint16_t choice[DECISIONS], options[DECISIONS];
} s;

void strategy_set(explore_strategy strategy, uint32_t bound, uint64_t length) {
    s.kind = strategy;
    s.bound = bound;
    s.length = length;
    s.depth = strategy == EXPLORE_REPLAY ? DECISIONS : 0;
}

bool strategy_read(const char *choices) {
    for (uint32_t i = 0; i < DECISIONS; i++) s.choice[i] = 0;
    while (*choices != '\0') {
        char *end;
        unsigned long at = strtoul(choices, &end, 10);
        if (*end != ':' || at >= DECISIONS) return false;
        s.choice[at] = (uint16_t)strtoul(end + 1, &end, 10);
        if (*end != ',' && *end != '\0') return false;
        choices = *end == ',' ? end + 1 : end;
    }
    return true;
}

void strategy_begin(uint64_t seed) {
    svs__random_seed(&s.random, seed);
    s.hash = 0;
    s.at = 0;
    s.budget = s.bound;
    s.yielded = false;
    s.rate = 1u << (1 + svs__random_below(&s.random, 5));
    s.holding = 1 + svs__random_below(&s.random, 3);
    s.lowest = EXPLORE_THREADS;
    s.point = 0;
    for (int i = 0; i < 2; i++) s.change[i] = svs__random_below(&s.random, (uint32_t)s.length + 1);
}

bool strategy_end(void) {
    if (s.kind != EXPLORE_EXHAUSTIVE) return true;
    while (s.at != 0 && s.choice[s.at - 1] + 1 >= s.options[s.at - 1]) s.at--;
    if (s.at == 0) return false;
    s.choice[s.at - 1]++;
    s.depth = s.at;
    return true;
}

uint64_t strategy_hash(void) { return s.hash; }

void strategy_print(uint64_t seed) {
    static const char *const names[] = {"random", "pct", "replay", "replay"};
    const char *comma = "";
    fprintf(stderr, " --strategy %s", names[s.kind]);
    if (s.kind == EXPLORE_RANDOM || s.kind == EXPLORE_PCT) {
        fprintf(stderr, " --runs 1 --seed %llu", (unsigned long long)seed);
        if (s.kind == EXPLORE_PCT) fprintf(stderr, " --length %llu", (unsigned long long)s.length);
        return;
    }
    fprintf(stderr, " --bound %u --choices \"", s.bound);
    for (uint32_t i = 0; i < s.at; i++) {
        if (s.choice[i] == 0) continue;
        fprintf(stderr, "%s%u:%u", comma, i, s.choice[i]);
        comma = ",";
    }
    fprintf(stderr, "\"");
}

static bool by_chance(void) { return s.kind == EXPLORE_RANDOM || s.kind == EXPLORE_PCT; }

static void note(uint64_t what) {
    s.hash = (s.hash ^ (what + 1)) * 0x9e3779b97f4a7c15u ^ s.hash >> 29;
}

/* One of `options`, of which all but the first cost a part of the bound if `costs`. */
static uint32_t decide(uint32_t options, bool costs) {
    uint32_t chosen = 0;
    if (costs && s.budget == 0) options = 1;
    if (options == 1) return 0;
    if (s.at == DECISIONS) explore_fail("a run has more than %u decisions", DECISIONS);
    if (s.at < s.depth) chosen = s.choice[s.at];
    if (chosen >= options) explore_fail("the choices are not those of this scenario");
    s.choice[s.at] = (uint16_t)chosen;
    s.options[s.at++] = (uint16_t)options;
    if (costs && chosen != 0) s.budget--;
    return chosen;
}

static uint32_t nth_bit(uint32_t bits, uint32_t n) {
    while (n-- != 0) bits &= bits - 1;
    return (uint32_t)__builtin_ctz(bits);
}

/* If the thread has blocked, the choice costs nothing. If it has yielded, any other than the next
 * thread in turn costs a part of the bound: two threads that wait for a third one cannot yield to
 * each other forever. */
static uint32_t next_in_turn(uint32_t candidates, uint32_t current, bool yielded) {
    bool can_go_on = (candidates >> current & 1) != 0;
    uint32_t others = candidates & ~(1u << current), after = others & ~((2u << current) - 1);
    uint32_t chosen, later = (uint32_t)__builtin_popcount(after);
    chosen = decide((uint32_t)__builtin_popcount(candidates), can_go_on || yielded);
    if (can_go_on && chosen-- == 0) return current;
    return chosen < later ? nth_bit(after, chosen) : nth_bit(others & ~after, chosen - later);
}

static uint32_t next_random(uint32_t candidates, uint32_t current) {
    uint32_t chosen;
    if ((candidates >> current & 1) != 0 && svs__random_below(&s.random, s.rate) != 0)
        return current;
    chosen = svs__random_below(&s.random, (uint32_t)__builtin_popcount(candidates));
    return nth_bit(candidates, chosen);
}

static uint32_t next_by_priority(uint32_t candidates, uint32_t current) {
    uint32_t best = nth_bit(candidates, 0);
    for (int i = 0; i < 2; i++)
        if (s.change[i] == s.point) s.priority[current] = ++s.lowest;
    s.point++;
    for (uint32_t i = 0; i < EXPLORE_THREADS; i++)
        if ((candidates >> i & 1) != 0 && s.priority[i] < s.priority[best]) best = i;
    return best;
}

uint32_t strategy_next(uint32_t candidates, uint32_t current) {
    bool yielded = s.yielded;
    uint32_t next;
    s.yielded = false;
    if (s.kind == EXPLORE_PCT) next = next_by_priority(candidates, current);
    else if ((candidates & (candidates - 1)) == 0) return nth_bit(candidates, 0);
    else if (s.kind == EXPLORE_RANDOM) next = next_random(candidates, current);
    else next = next_in_turn(candidates, current, yielded);
    note(next);
    return next;
}

bool strategy_holds(void) {
    bool held = by_chance() ? svs__random_below(&s.random, s.holding) == 0 : decide(2, true) == 1;
    note(16 + held);
    return held;
}

bool strategy_chance(uint32_t rarity) {
    bool happens = by_chance() && svs__random_below(&s.random, rarity) == 0;
    if (happens) note(32);
    return happens;
}

uint32_t strategy_below(uint32_t n) {
    uint32_t below = by_chance() ? svs__random_below(&s.random, n) : 0;
    note(64 + below);
    return below;
}

uint32_t explore_below(uint32_t n) {
    uint32_t below = by_chance() ? svs__random_below(&s.random, n) : decide(n, false);
    note(64 + below);
    return below;
}

/* Of the smallest number is the highest priority; those that are lowered get ever larger ones. */
void strategy_started(uint32_t thread) {
    if (s.kind == EXPLORE_PCT) s.priority[thread] = svs__random_below(&s.random, EXPLORE_THREADS);
}

void strategy_yielded(uint32_t thread) {
    s.yielded = true;
    if (s.kind == EXPLORE_PCT) s.priority[thread] = ++s.lowest;
}
