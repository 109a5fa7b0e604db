/* Tests a program's judge of its own answer: a right answer passes, and a change of any number by a
 * thousandth is an error. Linked with each program's serial elision. */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case.h"

enum { SPOTS = 40, THOUSANDTH_BIT = 42 }; /* 2^-10 of a double */

static const cilk_program *const program = &cilk_serial;

static void *solved(void) {
    cilk_size size = {{0}, 0};
    void *problem;
    for (size_t i = 0; i < CILK_PARAMETERS; i++) size.values[i] = program->parameters[i].small;
    problem = program->make(&size);
    if (program->reset) program->reset(problem);
    program->run(NULL, problem);
    return problem;
}

TEST_CASE(right_answer_passes) {
    void *problem = solved();
    assert_true(program->error(problem) <= CILK_TOLERANCE);
    program->release(problem);
}

TEST_CASE(problem_can_be_run_again) {
    void *problem = solved();
    for (int i = 0; i < 2; i++) {
        if (program->reset) program->reset(problem);
        program->run(NULL, problem);
    }
    assert_true(program->error(problem) <= CILK_TOLERANCE);
    program->release(problem);
}

/* Neither padding nor next to nothing: the answer would be right without it. */
static int matters(uint64_t word) {
    double number;
    int is_whole = word >> 52 == 0; /* a count, not a double */
    memcpy(&number, &word, sizeof number);
    return word && (is_whole || fabs(number) > 1e-4);
}

TEST_CASE(changed_number_is_noticed) {
    void *problem = solved();
    cilk_span answer = program->result(problem);
    size_t words = answer.bytes / sizeof(uint64_t), stride = words / SPOTS + 1, tried = 0;
    for (size_t i = 0; i < words; i++) {
        unsigned char *at = (unsigned char *)answer.data + i * sizeof(uint64_t);
        uint64_t word, changed;
        memcpy(&word, at, sizeof word);
        if (i < tried * stride || !matters(word)) continue;
        changed = word ^ UINT64_C(1) << THOUSANDTH_BIT;
        memcpy(at, &changed, sizeof changed);
        if (program->error(problem) <= CILK_TOLERANCE)
            fail_msg("word %zu of %zu was changed, and the judge accepts it", i, words);
        memcpy(at, &word, sizeof word);
        tried++;
    }
    assert_true(tried > 0);
    assert_true(program->error(problem) <= CILK_TOLERANCE);
    program->release(problem);
}

int main(void) { return run_cases(NULL, NULL); }
