/* Another program, run to its end: what it printed, how long it took, what CPU and memory it used.
 *
 *     arguments a = {0};
 *     arguments_add(&a, "%s/fluidanimate", folder);
 *     arguments_add(&a, "--threads");
 *     child c;
 *     child_run(&c, &a, 60);
 *     if (!c.failed) puts(c.output);
 *     child_clean_up(&c);
 *
 * Peak memory is what the kernel says of the process (wait4), which counts the image that it was
 * forked from: a caller that stays small is lost in it. */
#ifndef EVALUATION_CHILD_H
#define EVALUATION_CHILD_H

#include <stdbool.h>
#include <stddef.h>

enum { ARGUMENTS_MAX = 48, CHILD_SKIPPED = 77 };

typedef struct arguments {
    char *of[ARGUMENTS_MAX + 1]; /* NULL ends them */
    size_t count;
} arguments;

void arguments_add(arguments *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the words of `text`, which spaces part. */
void arguments_add_words(arguments *a, const char *text);
void arguments_clean_up(arguments *a);

typedef struct child {
    char *output, *error; /* stdout, stderr; never NULL */
    int status;           /* what it exited with; -1: it was ended by a signal, or never began */
    bool failed;          /* status is not 0 */
    bool timed_out;
    double wall_seconds, cpu_seconds, peak_mb;
} child;

/* Runs a->of[0] and waits for its end, which comes after `limit_seconds` at the latest. */
void child_run(child *c, const arguments *a, double limit_seconds);
/* The last line of what it said on stderr, or what ended it; `text` has room for `size` bytes. */
void child_complaint(const child *c, char *text, size_t size);
void child_clean_up(child *c);

#endif
