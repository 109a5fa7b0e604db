/* Switches between two stacks: what a caller has in registers is there again behind a switch by a
 * call and behind one in line, whichever of them has left the stack and resumes it. */
#include "../base/helpers.h"
#include "worksteal/place.h"

enum { ROUNDS = 1000, NUMBERS = 12 };

static _Alignas(16) char stack[65536];
static svs__place mine, other;
static uint64_t ends;

/* More numbers than there are registers that a called function saves. */
static inline void step(uint64_t *numbers, uint64_t seed) {
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = numbers[i] * UINT64_C(0x9e3779b97f4a7c15) + seed + numbers[(i + 1) % NUMBERS];
}

static uint64_t sum_of(const uint64_t *numbers) {
    uint64_t sum = 0;
    for (int i = 0; i < NUMBERS; i++) sum = sum * 31 + numbers[i];
    return sum;
}

/* `by` switches of one kind in a row: 1 here and 2 there bring all pairs of kinds together. */
static inline uint64_t go(svs__place *from, svs__place *to, uint64_t seed, uint64_t by) {
    uint64_t numbers[NUMBERS] = {seed};
    for (uint64_t i = 0; i < ROUNDS; i++) {
        step(numbers, seed);
        if (i / by % 2 == 0) svs__place_jump(from, to);
        else svs__place_switch(from, to, false);
    }
    return sum_of(numbers);
}

static uint64_t go_alone(uint64_t seed) {
    uint64_t numbers[NUMBERS] = {seed};
    for (uint64_t i = 0; i < ROUNDS; i++) step(numbers, seed);
    return sum_of(numbers);
}

static void run(void *argument) {
    uint64_t *sum = argument;
    svs__place_arrive();
    *sum = go(&other, &mine, 7, 2);
    ends++;
    svs__place_switch(&other, &mine, true);
}

TEST_CASE(registers_are_kept_by_switches_of_both_kinds) {
    uint64_t theirs = 0, ours;
    ends = 0;
    svs__place_of_thread(&mine);
    svs__place_init(&other, stack, sizeof stack);
    assert_true(svs__place_call(&mine, &other, stack + sizeof stack, run, &theirs)); /* resumed */
    ours = go(&mine, &other, 3, 1);
    assert_int_equal(ours, go_alone(3));
    assert_int_equal(theirs, go_alone(7));
    assert_int_equal(ends, 1);
    svs__place_clean_up(&other);
    svs__place_detach(&mine);
}

int main(void) { return run_cases(NULL, NULL); }
