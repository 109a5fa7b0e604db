/* The words that a program is started with, out of the bytes that libFuzzer tries: for targets that
 * include the program's options.c behind this. Parsing goes on after an error instead of ending the
 * process; `refused` says whether there was one. */
#ifndef SVS_TESTS_FUZZ_WORDS_H
#define SVS_TESTS_FUZZ_WORDS_H

#include "base/check.h"
#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool refused;

static void note_error(const struct argp_state *state, const char *format, ...) {
    (void)state, (void)format;
    refused = true;
}

static error_t parse_on(const struct argp *parser, int count, char **words, unsigned flags,
                        int *index, void *input) {
    unsigned quietly = flags | ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP;
    error_t status = argp_parse(parser, count, words, quietly, index, input);
    if (status != 0) refused = true;
    return status;
}

#define argp_error note_error
#define argp_parse parse_on
#include "common/engine_choice.c"
#include "common/numbers.c"

static inline bool is_within(uint64_t value, uint64_t min, uint64_t max) {
    return value >= min && value <= max;
}

#define WORDS 64

typedef void words_user(int count, char **words);

/* Hands on what main() would get: a name, and the input's words, which zeros part. */
static void words_try(words_user *user, const uint8_t *data, size_t size) {
    static char name[] = "program";
    char *text = malloc(size + 1), *words[WORDS + 2] = {name};
    int count = 1;
    SVS_CHECK(text != NULL);
    if (size != 0) memcpy(text, data, size);
    text[size] = '\0';
    for (size_t at = 0; at < size && count <= WORDS; at += strlen(text + at) + 1)
        words[count++] = text + at;
    refused = false;
    user(count, words);
    free(text);
}

#endif
