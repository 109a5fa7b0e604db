/* Shows:  a race check: linked with svs::check, one run finds the race, even if that run's result
 *         is right (docs/race-check.md).
 * Run:    build/release/bin/07_find_a_race racy; then without an argument, which cures the race.
 * Expect: both usually print the right number. The racy one exits with status 66 and a report that
 *         names the racing line below. The cured one: expected.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/svs.h>

enum { PARTS = 16, LETTERS = 1000 };

static char text[PARTS * LETTERS];
static long counts[PARTS];

typedef struct part {
    const char *text;
    long *count; /* receives the number of its vowels */
} part;

static void count_vowels(svs_async_context *async, void *argument) {
    const part *p = argument;
    long count = 0;
    (void)async;
    for (int i = 0; i < LETTERS; i++)
        if (strchr("aeiou", p->text[i]) != NULL) count++;
    *p->count += count; /* races if two parts share the counter */
}

static void count_parts(svs_async_context *async, void *argument) {
    const int *racy = argument; /* whether all parts share the first counter */
    for (int i = 0; i < PARTS; i++) {
        part p = {&text[i * LETTERS], &counts[*racy ? 0 : i]};
        svs_async(async, count_vowels, &p, sizeof p);
    }
}

static void run(svs_async_context *async, void *argument) {
    long sum = 0;
    for (int i = 0; i < PARTS * LETTERS; i++) text[i] = (char)('a' + i % 26);
    svs_finish(async, count_parts, argument); /* waits for all parts, so the sum does not race */
    for (int i = 0; i < PARTS; i++) sum += counts[i];
    printf("Vowels: %ld of %d letters\n", sum, PARTS * LETTERS);
}

/* Ends the program with a message if a call failed. */
static void expect(svs_status status, const char *call) {
    if (status == SVS_OK) return;
    fprintf(stderr, "%s: %s\n", call, svs_status_text(status));
    exit(1);
}

int main(int argc, char **argv) {
    int racy = argc > 1 && strcmp(argv[1], "racy") == 0;
    svs_runtime *runtime;
    expect(svs_runtime_new(NULL, &runtime), "svs_runtime_new");
    expect(svs_runtime_start(runtime), "svs_runtime_start");
    expect(svs_async_run(runtime, run, &racy), "svs_async_run");
    expect(svs_runtime_free(runtime), "svs_runtime_free");
    return 0; /* with svs::check and a race, the exit status is 66 */
}
