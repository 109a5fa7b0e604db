/* bench_ranks' subject: measures one work on the ranks that it is started on. It is compiled
 * without MPI, and once for each MPI; SVS_TRANSPORT selects the ranks. bench_ranks starts it. */
#include "works.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { ROUNDS_MAX = 63 };

#if defined(BENCH_MPI)
#define BARE(function) function
#else
#define BARE(function) NULL
static void no_bare_end(void) {}
#define bare_end no_bare_end
#endif

static const work works[] = {
    {"histogram", 10000000, svs_histogram, BARE(bare_histogram), NULL},
    {"insert", 4000000, svs_insert, BARE(bare_insert), NULL},
    {"table", 4000000, svs_table, BARE(bare_insert), NULL},
    {"gather", 4000000, svs_gather, BARE(bare_gather), NULL},
    {"lookup", 4000000, svs_lookups, BARE(bare_gather), NULL},
    {"cached", 1000000, NULL, NULL, keys_cached},
    {"combined", 4000000, NULL, NULL, keys_combined},
    {"aggregate", 10000000, svs_aggregate, BARE(bare_aggregate), NULL},
    {"slow", 20000000, svs_slow, BARE(bare_slow), NULL},
    {"pingpong", 20000, svs_pingpong, BARE(bare_pingpong), NULL},
    {"barrier", 20000, svs_barriers, BARE(bare_reduction), NULL},
    {"sync", 5000, svs_syncs, BARE(bare_reduction), NULL},
    {"idle", 1, svs_idle, NULL, NULL},
    {"fiber", 1, NULL, NULL, NULL},
    {"offload", 1, NULL, NULL, NULL},
    {"scale", 1, NULL, BARE(bare_reduction), growth_scale},
    {"wait", 100000, NULL, NULL, growth_wait},
    {"credit", 10000, NULL, NULL, growth_credit},
    {"flood", 20000, NULL, NULL, growth_flood},
    {"forward", 1000000, NULL, NULL, growth_forward},
    {"bulk", 1, NULL, BARE(bare_transfer), growth_bulk},
};
#define WORKS (sizeof works / sizeof *works)
static const char *const engines[] = {"both", "svs", "bare", NULL};

typedef struct command {
    settings all;
    uint32_t engine;
    uint64_t credits, direct_ranks;
    const char *name;
} command;

static command said = {.all = {.bytes = 16384, .rounds = 9, .seconds = 10, .transport = "local"},
                       .credits = 8,
                       .direct_ranks = 64,
                       .name = "histogram"};

static const option_row rows[] = {
    {"work", 'w', "NAME", "What is measured (histogram)", 0, OPTION_TEXT(command, name)},
    {"bytes", 'b', "N", "Of a buffer (16384)", 0, OPTION_NUMBER(command, all.bytes, 0, 1 << 24)},
    {"count", 'n', "N", "Operations of each rank in a round", 0,
     OPTION_NUMBER(command, all.count, 1, UINT64_MAX)},
    {"rounds", 'r', "N", "Of each engine, in turn (9)", 0,
     OPTION_NUMBER(command, all.rounds, 1, ROUNDS_MAX)},
    {"credits", 0, "N", "Buffers in flight to a rank (8)", 0,
     OPTION_NUMBER(command, credits, 1, 4096)},
    {"direct-ranks", 0, "N", "More ranks than these use the grid (64)", 0,
     OPTION_NUMBER(command, direct_ranks, 1, UINT32_MAX)},
    {"seconds", 0, "N", "Of idle ranks (10)", 0, OPTION_NUMBER(command, all.seconds, 1, 3600)},
    {"zipf", 0, NULL, "Keys of lookup have Zipf's distribution, s = 1", 0,
     OPTION_FLAG(command, all.zipf)},
    {"engine", 'e', "NAME", "both, svs or bare", 0, OPTION_CHOICE(command, engine, engines)},
    {"name", 0, "NAME", "The transport's name in the rows", 0, OPTION_TEXT(command, all.transport)},
    OPTION_END,
};

/* ---- rows ---- */

typedef struct samples {
    double svs[ROUNDS_MAX], bare[ROUNDS_MAX];
    double peak_mb;            /* above the start */
    double bytes_op, mean_run; /* of rank 0: that it has sent for each operation; at its handlers */
} samples;

/* The 95 % confidence interval of a median: two of the sorted samples bound it. */
static void interval(double *values, uint64_t count, double *low, double *high) {
    double below = 0, chance = 1;
    uint64_t skipped = 0;
    for (uint64_t i = 0; i < count; i++) chance /= 2;
    for (; skipped < count / 2; skipped++) {
        below += chance;
        if (2 * below > 0.05) break;
        chance = chance * (double)(count - skipped) / (double)(skipped + 1);
    }
    if (skipped != 0) skipped--;
    (void)bench_median(values, count); /* sorts */
    *low = values[skipped];
    *high = values[count - 1 - skipped];
}

static double peak_mb(void) {
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void row(const settings *chosen, uint32_t ranks, const char *engine, double *ns,
                const char *rest) {
    double low, high, median;
    uint64_t count = chosen->count;
    interval(ns, chosen->rounds, &low, &high);
    median = bench_median(ns, chosen->rounds);
    bench_row("bench=ranks work=%s engine=%s transport=%s ranks=%u bytes=%llu mops_rank=%.4f "
              "us_op=%.4f%s count=%llu rounds=%llu",
              chosen->chosen->name, engine, chosen->transport, ranks,
              (unsigned long long)chosen->bytes, (double)count / median * 1e3,
              median / (double)count / 1e3, rest, (unsigned long long)count,
              (unsigned long long)chosen->rounds);
}

/* What the keys of a work are, where it has a choice. */
static const char *keys_of(const settings *chosen) {
    if (strcmp(chosen->chosen->name, "lookup") != 0) return "";
    return chosen->zipf ? " keys=zipf" : " keys=uniform";
}

/* The ratio is that of the speeds within a round: above 1, SvS is faster. ratio_best is the ratio
 * of the fastest rounds, which other programs on the machine affect less. */
static void report(const settings *chosen, uint32_t ranks, samples *all) {
    double ratios[ROUNDS_MAX], low, high;
    char rest[160] = "";
    if (said.engine == 0 && chosen->chosen->bare != NULL) {
        for (uint64_t i = 0; i < chosen->rounds; i++) ratios[i] = all->bare[i] / all->svs[i];
        interval(ratios, chosen->rounds, &low, &high);
        (void)snprintf(rest, sizeof rest, "%s ratio_bare=%.3f ci95=%.3f-%.3f ratio_best=%.3f",
                       keys_of(chosen), bench_median(ratios, chosen->rounds), low, high,
                       bench_percentile(all->bare, chosen->rounds, 0) /
                           bench_percentile(all->svs, chosen->rounds, 0));
    } else {
        (void)snprintf(rest, sizeof rest, "%s grid=%d bytes_op=%.2f run=%.1f peak_mb=%.1f",
                       keys_of(chosen), ranks > said.direct_ranks, all->bytes_op, all->mean_run,
                       all->peak_mb);
    }
    if (said.engine != 2) row(chosen, ranks, "svs", all->svs, rest);
    if (said.engine != 1 && chosen->chosen->bare != NULL)
        row(chosen, ranks, "bare", all->bare, said.engine == 2 ? rest : "");
}

/* ---- rounds ---- */

static svs_status nothing(svs_ranks *ranks, void *state) {
    (void)ranks, (void)state;
    return SVS_OK;
}

/* An empty run ends on all ranks together, just as the bare rounds begin after a barrier. */
uint64_t begin_together(svs_ranks *ranks) {
    BENCH_OK(svs_ranks_run(ranks, nothing, NULL));
    return bench_wall_ns();
}

static void count(svs_ranks *ranks, const settings *chosen, samples *all) {
    svs_ranks_statistics of;
    double own; /* records for the own rank, each a run */
    BENCH_OK(svs_ranks_statistics_get(ranks, &of));
    all->bytes_op = (double)of.byte_sent / (double)(chosen->count * chosen->rounds);
    own = (double)of.byte_copy / sizeof(record);
    all->mean_run = (double)of.runs_in_place <= own
                        ? 0
                        : ((double)of.records_run - own) / ((double)of.runs_in_place - own);
}

static void measure(svs_ranks *ranks, const settings *chosen, samples *all) {
    const work *one = chosen->chosen;
    double before = peak_mb();
    for (uint64_t round = 0; round < chosen->rounds; round++) {
        if (said.engine != 2) all->svs[round] = one->svs(ranks, chosen, chosen->count);
        if (said.engine != 1 && one->bare != NULL)
            all->bare[round] = one->bare(chosen, chosen->count);
    }
    all->peak_mb = peak_mb() - before;
}

static void add_handlers(svs_ranks *ranks) {
    BENCH_OK(svs_handlers_add(ranks, stream_handlers, stream_handler_count));
    BENCH_OK(svs_handlers_add(ranks, latency_handlers, latency_handler_count));
    BENCH_OK(svs_handlers_add(ranks, fiber_handlers, fiber_handler_count));
    BENCH_OK(svs_handlers_add(ranks, offload_handlers, offload_handler_count));
}

static void report_idle(const settings *chosen, uint32_t ranks, const samples *all) {
    for (uint64_t i = 0; i < chosen->rounds; i++)
        bench_row("bench=ranks work=idle engine=svs transport=%s ranks=%u seconds=%llu "
                  "cpu_s=%.4f",
                  chosen->transport, ranks, (unsigned long long)chosen->seconds, all->svs[i] / 1e9);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    settings chosen = said.all;
    svs_ranks_options options;
    svs_ranks *ranks;
    samples all = {.peak_mb = 0};
    bool offloads_work = strcmp(chosen.chosen->name, "offload") == 0;
    uint32_t reporter = strcmp(chosen.chosen->name, "idle") == 0 || offloads_work ? 1 : 0;
    svs_runtime *workers = NULL;
    (void)argc, (void)argv;
    if (chosen.count == 0) chosen.count = chosen.chosen->count;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.aggregate_bytes = chosen.bytes;
    options.credits = (uint32_t)said.credits;
    options.direct_ranks = (uint32_t)said.direct_ranks;
    if (chosen.chosen->grows != NULL) {
        chosen.chosen->grows(&options, &chosen);
        bench_rows_print();
        bare_end();
        return 0;
    }
    if (offloads_work) options.workers = workers = offload_workers();
    BENCH_OK(svs_ranks_new(&options, &ranks));
    add_handlers(ranks);
    if (strcmp(chosen.chosen->name, "table") == 0) table_new(ranks);
    if (strcmp(chosen.chosen->name, "lookup") == 0) keys_new(ranks);
    if (chosen.chosen->svs != NULL) measure(ranks, &chosen, &all);
    count(ranks, &chosen, &all);
    if (offloads_work) offloads(ranks, workers, &chosen);
    if (svs_ranks_index(ranks) == reporter) {
        if (strcmp(chosen.chosen->name, "fiber") == 0) fibers(ranks, &chosen);
        else if (offloads_work) (void)0; /* it has made its row */
        else if (reporter == 1) report_idle(&chosen, svs_ranks_count(ranks), &all);
        else report(&chosen, svs_ranks_count(ranks), &all);
        bench_rows_print();
    }
    bare_end();
    BENCH_OK(svs_ranks_free(ranks));
    return workers != NULL && svs_runtime_free(workers) != SVS_OK;
}

int main(int argc, char **argv) {
    static const option_program text = {.rows = rows,
                                        .text = "Measures ranks; started by bench_ranks."};
    options_read(&text, argc, argv, &said);
    for (size_t i = 0; i < WORKS; i++)
        if (strcmp(works[i].name, said.name) == 0) said.all.chosen = &works[i];
    if (said.all.chosen == NULL) bench_fail("there is no work %s", said.name);
#if defined(BENCH_MPI)
    return svs_ranks_main(svs_transport_mpi(), program, 1, argv);
#else
    return svs_ranks_main(NULL, program, 1, argv);
#endif
}
