/* The cost of running 128,000 instances without races: SvS against the serial loop, a pthread
 * mutex an object, and oneTBB with a spin mutex an object.
 *
 *     bench_dispatch [--quick] [--objects 1,2,5,9,13] [--keys 100,10000,1000000]
 *                    [--work 0,200,2000] [--by object] [--reads] [--threads 1,2] [--cells 9,16]
 *                    [--ways] [--instructions]
 *                    [--benchmark_filter=engine:svs/algorithm:staged]
 *
 * An iteration is one run of all instances; figures are nanoseconds an instance. SvS' sends,
 * footprints and waits are inside the timing; every object's count is checked at the end.
 * Cells: 9 is the thesis (sets compared on the signature's 512 bits), 16 the library's default. */
#include "dispatch.h"

#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENDERS_MAX = 4096, SETTLE_NS = 200000, COUNTED_KEYS = 10000, COUNTED_CELLS = 16 };

typedef struct settings {
    bench_list objects, keys, work, threads, cells;
    bool ways, reads;
    uint32_t sends;
    const char *by;
} settings;

/* An engine at one number of threads with one case. */
typedef struct contender {
    dispatch_engine engine;
    dispatch_case *input;
    bench_case *measured;
    size_t serial; /* the index of the loop with the same input */
} contender;

static contender contenders[CONTENDERS_MAX];
static size_t contender_count;

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    settings *s = member;
    (void)state, (void)row, (void)text;
    bench_default("--benchmark_repetitions=3");
    s->keys = bench_list_of(2, (uint64_t[]){100, 10000});
    s->work = bench_list_of(2, (uint64_t[]){0, 200});
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "3 repetitions, without K = 1e6 and 2 us", 0, OPTION_OWN(take_quick)},
    {"objects", 'o', "LIST", "Objects that an instance accesses: 1, 2, 5, 9, 13 (1,2)", 0,
     BENCH_OPTION_LIST(settings, objects, 1, DISPATCH_OBJECTS_MAX)},
    {"by", 'b', "WORD", "How svs names them: object, address, index, span (object)", 0,
     OPTION_TEXT(settings, by)},
    {"reads", 'r', NULL, "An instance writes the first, and reads the others", 0,
     OPTION_FLAG(settings, reads)},
    {"keys", 'k', "LIST", "K, the number of objects (100,10000,1000000)", 0,
     BENCH_OPTION_LIST(settings, keys, 2, 10000000)},
    {"work", 'w', "LIST", "Work of an instance, ns (0,200,2000)", 0,
     BENCH_OPTION_LIST(settings, work, 0, 1000000)},
    {"threads", 't', "LIST", "Threads (1 and all)", 0,
     BENCH_OPTION_LIST(settings, threads, 1, SVS_THREADS_MAX)},
    {"cells", 'c', "LIST", "log2 of the cells in which svs compares sets (9,16)", 0,
     BENCH_OPTION_LIST(settings, cells, 9, 20)},
    {"sends", 's', "N", "Items that svs sends at once (64)", 0,
     OPTION_NUMBER(settings, sends, 1, DISPATCH_INSTANCES)},
    {"ways", 'y', NULL, "Also svs traced, and with threads of the program (lent)", 0,
     OPTION_FLAG(settings, ways)},
    BENCH_OPTION_INSTRUCTIONS,
    OPTION_END,
};

static const char *const names_by[] = {"object", "address", "index", "span"};

static dispatch_by by_of(const char *name) {
    for (unsigned i = 0; i < sizeof names_by / sizeof *names_by; i++)
        if (!strcmp(name, names_by[i])) return (dispatch_by)i;
    bench_fail("--by %s: it is object, address, index or span", name);
}

/* ---- one contender ---- */

static void verify(const contender *c, const void *state, uint64_t runs) {
    for (size_t key = 0; key < c->input->keys; key++) {
        uint64_t expected = (uint64_t)c->input->expected[key] * runs,
                 seen = c->engine.writes(state, key);
        if (seen != expected)
            bench_fail("%s: object %zu was written %llu times in %llu runs, not %llu",
                       c->measured->name, key, (unsigned long long)seen, (unsigned long long)runs,
                       (unsigned long long)expected);
    }
}

static void count_details(bench_state *state, const contender *c, void *of_engine, uint64_t runs) {
    dispatch_details d;
    if (!c->engine.details || !runs) return;
    c->engine.details(of_engine, &d);
    bench_counter(state, "share_min", d.share_min);
    bench_counter(state, "stages", (double)d.stages / (double)runs);
    bench_counter(state, "width_mean", d.width);
    bench_counter(state, "deferrals", (double)d.deferrals / (double)runs);
}

static void run(bench_state *state, const void *argument) {
    const contender *c = argument;
    dispatch_details before;
    void *of_engine;
    uint64_t runs = 0;
    dispatch_case_fill(c->input);
    of_engine = c->engine.make(&c->engine, c->input);
    c->engine.run(of_engine); /* makes the memory that the runs use again */
    if (c->engine.details) c->engine.details(of_engine, &before);
    for (; bench_loop(state); runs++) {
        bench_pause(state); /* idle threads that still look for work go to sleep */
        bench_sleep_ns(SETTLE_NS);
        bench_resume(state);
        c->engine.run(of_engine);
    }
    count_details(state, c, of_engine, runs);
    verify(c, of_engine, runs + 1);
    c->engine.free(of_engine);
}

/* ---- the engines together ---- */

static void add(const dispatch_engine *engine, dispatch_case *input, size_t serial,
                uint64_t threads, uint64_t cells) {
    contender *c = &contenders[contender_count];
    bool is_other = input->sends != DISPATCH_SENDS;
    if (contender_count == CONTENDERS_MAX) bench_fail("more than %d cases", CONTENDERS_MAX);
    *c = (contender){*engine, input, NULL, serial};
    c->engine.threads = (uint32_t)threads;
    c->engine.cells = (uint32_t)cells;
    c->measured = bench_case_new(run, c, (double)input->count,
                                 "dispatch engine=%s algorithm=%s cells=%u objects=%u K=%zu "
                                 "work_ns=%u threads=%u%s%s%s%s%.0u",
                                 engine->name, engine->algorithm, c->engine.cells, input->objects,
                                 input->keys, input->work_ns, c->engine.threads,
                                 input->by ? " by=" : "", input->by ? names_by[input->by] : "",
                                 input->reads ? " reads=1" : "", is_other ? " sends=" : "",
                                 is_other ? input->sends : 0); /* "%.0u" prints no 0 */
    c->measured->counted = threads == 1 && input->keys == COUNTED_KEYS && !input->work_ns &&
                           (!cells || cells == COUNTED_CELLS);
    contender_count++;
}

static void add_all(const settings *s, dispatch_case *input) {
    static const dispatch_engine *const svs[] = {&dispatch_svs_default, &dispatch_svs_staged,
                                                 &dispatch_svs_progressive, &dispatch_svs_traced,
                                                 &dispatch_svs_lent};
    size_t serial = contender_count, ways = s->ways ? 5 : 3;
    input->sends = s->sends;
    add(&dispatch_serial, input, serial, 1, 0);
    for (size_t t = 0; t < s->threads.count; t++) {
        uint64_t threads = s->threads.values[t];
        add(&dispatch_mutex, input, serial, threads, 0);
#if defined(BENCH_TBB)
        add(&dispatch_tbb, input, serial, threads, 0);
#endif
        for (size_t w = 0; w < ways; w++)
            for (size_t c = 0; c < s->cells.count; c++)
                add(svs[w], input, serial, threads, s->cells.values[c]);
    }
}

/* The same engine and input with one thread. */
static const bench_case *one_thread(const contender *c) {
    for (const contender *o = &contenders[c->serial];
         o < contenders + contender_count && o->serial == c->serial; o++)
        if (o->engine.run == c->engine.run && o->engine.cells == c->engine.cells &&
            o->engine.threads == 1 && !strcmp(o->engine.algorithm, c->engine.algorithm))
            return o->measured;
    return NULL;
}

static void report_one(const contender *c) {
    const bench_case *m = c->measured;
    bench_figure wall = bench_figure_of(m, BENCH_WALL), cpu = bench_figure_of(m, BENCH_CPU);
    bench_figure serial = bench_figure_of(contenders[c->serial].measured, BENCH_CPU);
    bench_figure alone = bench_figure_of(one_thread(c), BENCH_WALL);
    char details[160] = "";
    if (c->engine.details)
        snprintf(details, sizeof details,
                 " share_min=%.3f stages=%.0f width_mean=%.1f deferrals=%.0f",
                 bench_figure_of(m, "share_min").median, bench_figure_of(m, "stages").median,
                 bench_figure_of(m, "width_mean").median, bench_figure_of(m, "deferrals").median);
    bench_case_row(m,
                   "cpu_ns=%.2f wall_ns=%.2f above_serial_cpu_ns=%.2f ratio_serial=%.3f "
                   "cpu_spread_pct=%.1f wall_spread_pct=%.1f wall_of_one_thread=%.3f%s",
                   cpu.median, wall.median, cpu.median - serial.median, cpu.median / serial.median,
                   cpu.spread_pct, wall.spread_pct, wall.median / alone.median, details);
}

static void report(void) {
    for (size_t i = 0; i < contender_count; i++) report_one(&contenders[i]);
}

int main(int argc, char **argv) {
    static const option_program program = {
        .rows = rows, .text = "Cost of dispatching instances that must not overlap."};
    settings s = {bench_list_of(2, (uint64_t[]){1, 2}),
                  bench_list_of(3, (uint64_t[]){100, 10000, 1000000}),
                  bench_list_of(3, (uint64_t[]){0, 200, 2000}),
                  bench_threads_default(),
                  bench_list_of(2, (uint64_t[]){9, 16}),
                  false,
                  false,
                  DISPATCH_SENDS,
                  names_by[0]};
    bench_default("--benchmark_min_time=0.01");
    bench_options(&program, argc, argv, &s);
#if !defined(BENCH_TBB)
    fprintf(stderr, "oneTBB was not found when this was built: its rows are left out\n");
#endif
    for (size_t k = 0; k < s.keys.count; k++)
        for (size_t w = 0; w < s.work.count; w++)
            for (size_t o = 0; o < s.objects.count; o++)
                add_all(&s, dispatch_case_new((uint32_t)s.objects.values[o], s.keys.values[k],
                                              (uint32_t)s.work.values[w], by_of(s.by), s.reads));
    return bench_run(report);
}
