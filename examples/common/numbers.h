/* Strict numbers from text: the whole text must be one number within the limits; otherwise the
 * error names the expectation.
 *
 *     uint64_t threads;
 *     char error[NUMBER_ERROR];
 *     if (!number_unsigned("12", 1, 1024, &threads, error)) puts(error);
 *
 * No sign, space, base prefix or rest is accepted in a whole number; no infinity or NaN, and no
 * hexadecimal form, in a double. */
#ifndef EXAMPLES_COMMON_NUMBERS_H
#define EXAMPLES_COMMON_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

#define NUMBER_ERROR 128

/* @return true and *value; or false and `error` ("'x' is not a whole number from 1 to 9"). `error`
 * has room for NUMBER_ERROR bytes. */
bool number_unsigned(const char *text, uint64_t min, uint64_t max, uint64_t *value, char *error);
bool number_double(const char *text, double min, double max, double *value, char *error);

/* Reads an option of a program that uses argp: a bad value ends the program with usage and error
 * (argp_error). */
struct argp_state;
uint64_t option_unsigned(const struct argp_state *state, const char *option, const char *text,
                         uint64_t min, uint64_t max);
double option_double(const struct argp_state *state, const char *option, const char *text,
                     double min, double max);

/* The index of `text` among `names` (NULL ends them). */
int option_choice(const struct argp_state *state, const char *option, const char *text,
                  const char *const *names);

#if defined(__cplusplus)
}
#endif
#endif
