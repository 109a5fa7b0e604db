#include "common/numbers.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool unsigned_of(const char *text, uint64_t *value) {
    uint64_t v = 0;
    if (!*text) return false;
    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9') return false;
        unsigned digit = (unsigned)(*p - '0');
        if (v > (UINT64_MAX - digit) / 10) return false;
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}

bool number_unsigned(const char *text, uint64_t min, uint64_t max, uint64_t *value, char *error) {
    uint64_t v;
    if (unsigned_of(text, &v) && v >= min && v <= max) {
        *value = v;
        return true;
    }
    snprintf(error, NUMBER_ERROR, "'%.32s' is not a whole number from %" PRIu64 " to %" PRIu64,
             text, min, max);
    return false;
}

bool number_double(const char *text, double min, double max, double *value, char *error) {
    char *end;
    bool plain = *text && !text[strspn(text, "0123456789+-.eE")] && text[0] != '+';
    double v = plain ? strtod(text, &end) : 0;
    if (plain && end != text && !*end && v >= min && v <= max) {
        *value = v;
        return true;
    }
    snprintf(error, NUMBER_ERROR, "'%.32s' is not a number from %g to %g", text, min, max);
    return false;
}

uint64_t option_unsigned(const struct argp_state *state, const char *option, const char *text,
                         uint64_t min, uint64_t max) {
    uint64_t value = min;
    char error[NUMBER_ERROR];
    if (!number_unsigned(text, min, max, &value, error))
        argp_error(state, "--%s: %s", option, error);
    return value;
}

double option_double(const struct argp_state *state, const char *option, const char *text,
                     double min, double max) {
    double value = min;
    char error[NUMBER_ERROR];
    if (!number_double(text, min, max, &value, error)) argp_error(state, "--%s: %s", option, error);
    return value;
}

int option_choice(const struct argp_state *state, const char *option, const char *text,
                  const char *const *names) {
    char known[NUMBER_ERROR] = "";
    for (int i = 0; names[i]; i++) {
        if (!strcmp(text, names[i])) return i;
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", names[i]);
    }
    argp_error(state, "--%s: '%.32s' is not one of %s", option, text, known);
    return 0;
}
