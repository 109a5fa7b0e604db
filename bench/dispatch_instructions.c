/* Instructions of an instance, counted by callgrind: one worker, K = 10,000, no work. The program
 * runs itself with one run and with three; the difference over the instances of two runs is what
 * one of them takes, with its send and its share of a window or stage. */
#include "dispatch.h"

#include <stdio.h>

enum { KEYS = 10000, FEW = 1, MORE = 3, CELLS = 16 };

static const dispatch_engine *const counted[] = {&dispatch_serial,          &dispatch_mutex,
                                                 &dispatch_svs_default,     &dispatch_svs_staged,
                                                 &dispatch_svs_progressive, &dispatch_svs_traced};

#define COUNTED (sizeof counted / sizeof *counted)

bool dispatch_instructions_run(const char *what) {
    unsigned number, objects, runs;
    dispatch_engine engine;
    dispatch_case d;
    void *state;
    /* NOLINTNEXTLINE(cert-err34-c): this program wrote it */
    if (sscanf(what, "%u,%u,%u", &number, &objects, &runs) != 3 || number >= COUNTED ||
        objects < 1 || objects > 2)
        return false;
    engine = *counted[number];
    engine.threads = 1;
    engine.cells = CELLS;
    dispatch_case_init(&d, objects, KEYS, 0);
    state = engine.make(&engine, &d);
    while (runs--) engine.run(state);
    engine.free(state);
    dispatch_case_clean_up(&d);
    return true;
}

/* @return of one instance, or a negative number. */
static double each(unsigned number, unsigned objects) {
    char arguments[2][64];
    uint64_t few, more;
    snprintf(arguments[0], sizeof arguments[0], "--count %u,%u,%d", number, objects, FEW);
    snprintf(arguments[1], sizeof arguments[1], "--count %u,%u,%d", number, objects, MORE);
    few = bench_instructions(arguments[0]);
    more = bench_instructions(arguments[1]);
    if (!few || !more) return -1;
    return (double)(more - few) / (double)(MORE - FEW) / DISPATCH_INSTANCES;
}

void dispatch_instructions(void) {
    bench_table_line("\nInstructions of an instance, by callgrind, one worker, K = %d\n%-6s %-11s "
                     "%9s %9s",
                     KEYS, "engine", "algorithm", "1 object", "2 objects");
    for (unsigned i = 0; i < COUNTED; i++) {
        const dispatch_engine *e = counted[i];
        double found[2] = {each(i, 1), each(i, 2)};
        if (found[0] < 0 || found[1] < 0) {
            bench_table_line("valgrind was not found, or failed: nothing was counted");
            return;
        }
        bench_table_line("%-6s %-11s %9.1f %9.1f", e->name, e->algorithm, found[0], found[1]);
        for (unsigned objects = 1; objects <= 2; objects++)
            bench_row("bench=dispatch engine=%s algorithm=%s objects=%u K=%d work_ns=0 threads=1 "
                      "instructions=%.1f",
                      e->name, e->algorithm, objects, KEYS, found[objects - 1]);
    }
}
