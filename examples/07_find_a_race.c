/* Shows:  a race check: the compiler's instrumentation and svs::check find a race in one run, also
 *         when that run came out right (docs/race-check.md).
 * Run:    build/release/bin/07_find_a_race racy; then without an argument, with the race cured.
 * Expect: both print the right number, most often; the racy one ends with status 66, and its report
 *         names the line below that races. The cured one: expected/07.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/svs.h>

enum { PARTS = 16, LETTERS = 1000 };

static char text[PARTS * LETTERS];
static long counts[PARTS];

typedef struct part {
    const char *text;
    long *count; /* where the number of its vowels goes */
} part;

static void count_vowels(svs_strand *strand, void *argument) {
    const part *p = argument;
    long count = 0;
    (void)strand;
    for (int i = 0; i < LETTERS; i++)
        if (strchr("aeiou", p->text[i]) != NULL) count++;
    *p->count += count; /* when two parts share it, this is the race */
}

static void count_parts(svs_strand *strand, void *argument) {
    const int *racy = argument; /* do all parts count in the first? */
    for (int i = 0; i < PARTS; i++) {
        part p = {&text[i * LETTERS], &counts[*racy ? 0 : i]};
        svs_async(strand, count_vowels, &p, sizeof p);
    }
}

static void run(svs_strand *strand, void *argument) {
    long sum = 0;
    for (int i = 0; i < PARTS * LETTERS; i++) text[i] = (char)('a' + i % 26);
    svs_finish(strand, count_parts, argument); /* what comes after is after all parts: no race */
    for (int i = 0; i < PARTS; i++) sum += counts[i];
    printf("Vowels: %ld of %d letters\n", sum, PARTS * LETTERS);
}

static void expect(svs_status status, const char *what) {
    if (status == SVS_OK) return;
    fprintf(stderr, "%s: %s\n", what, svs_status_text(status));
    exit(1);
}

int main(int argc, char **argv) {
    int racy = argc > 1 && strcmp(argv[1], "racy") == 0;
    svs_runtime *runtime;
    expect(svs_runtime_new(NULL, &runtime), "svs_runtime_new");
    expect(svs_runtime_start(runtime), "svs_runtime_start");
    expect(svs_async_run(runtime, run, &racy), "svs_async_run");
    expect(svs_runtime_free(runtime), "svs_runtime_free");
    return 0; /* 66 when there was a race, and the program was linked with svs::check */
}
