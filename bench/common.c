#include "common.h"

#include <argp.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t bench_wall_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
uint64_t bench_cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

uint64_t bench_thread_cpu_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

void bench_sleep_ns(uint64_t ns) {
    struct timespec left = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left)) {}
}

uint32_t bench_cpus(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    return (uint32_t)CPU_COUNT(&set);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_percentile(double *values, size_t count, double percent) {
    double place = percent / 100 * (double)(count - 1);
    size_t below = (size_t)place;
    qsort(values, count, sizeof *values, compare);
    if (below + 1 >= count) return values[count - 1];
    return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}

double bench_median(double *values, size_t count) { return bench_percentile(values, count, 50); }

double bench_spread(double *values, size_t count) {
    double median = bench_median(values, count);
    if (median == 0) return 0;
    return 100 * (bench_percentile(values, count, 75) - bench_percentile(values, count, 25)) /
           fabs(median);
}

static double ns_per_round(void) {
    enum { tries = 15, rounds = 200000 };
    double best = INFINITY;
    for (int i = 0; i < tries; i++) {
        uint64_t begin = bench_wall_ns();
        double ns;
        bench_spin(rounds);
        ns = (double)(bench_wall_ns() - begin) / rounds;
        if (ns < best) best = ns;
    }
    return best;
}

uint32_t bench_rounds(uint32_t ns) {
    static double each; /* called by the main thread only */
    if (!ns) return 0;
    if (each == 0) each = ns_per_round();
    return (uint32_t)lround(fmax(1, ns / each));
}

void bench_check(svs_status status, const char *what) {
    if (status) bench_fail("%s: %s: %s", what, svs_status_name(status), svs_status_text(status));
}

void bench_fail(const char *format, ...) {
    va_list arguments;
    fflush(stdout);
    fputs("error: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

svs_runtime *bench_runtime_new(uint32_t policy, uint32_t threads) {
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_runtime_options_init(&options);
    options.policy = policy;
    options.threads = threads;
    BENCH_OK(svs_runtime_new(&options, &runtime));
    BENCH_OK(svs_runtime_start(runtime));
    return runtime;
}

bench_graph bench_graph_new(uint32_t threads, const svs_task_type *type) {
    bench_graph g = {bench_runtime_new(SVS_POLICY_HELP_FIRST, threads), NULL, NULL, NULL};
    BENCH_OK(svs_world_new(g.runtime, NULL, &g.world));
    BENCH_OK(svs_graph_new(g.world, NULL, &g.graph));
    BENCH_OK(svs_graph_add_itemizer(g.graph, type, NULL, &g.task));
    return g;
}

void bench_graph_free(bench_graph *g) {
    BENCH_OK(svs_graph_free(g->graph));
    BENCH_OK(svs_world_free(g->world));
    BENCH_OK(svs_runtime_free(g->runtime));
}

double bench_width(const svs_graph *graph) {
    svs_graph_statistics s;
    BENCH_OK(svs_graph_statistics_get(graph, &s));
    return s.stages ? (double)s.staged_instances / (double)s.stages : 0;
}

uint64_t bench_steals(const svs_runtime *runtime) {
    uint64_t steals = 0;
    for (uint32_t worker = 0; worker < svs_runtime_threads(runtime); worker++) {
        svs_worker_statistics statistics;
        BENCH_OK(svs_runtime_statistics_get(runtime, worker, &statistics));
        steals += statistics.steals;
    }
    return steals;
}

void *bench_allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) bench_fail("no memory for %zu things of %zu bytes", count, size);
    return memory;
}

/* callgrind counts each byte that `rep movsb` copies as an instruction, unlike a CPU. So the C
 * library of the counted program copies in loops. The program's clock is counted_clock.c. */
#define COPIES_IN_LOOPS "GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1000000000"

uint64_t bench_instructions(const char *arguments) {
    char self[1024], command[8192], line[512];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    uint64_t instructions = 0;
    FILE *output;
    if (length <= 0) return 0;
    self[length] = 0;
    length = strrchr(self, '/') - self;
    snprintf(command, sizeof command,
             "%s LD_PRELOAD='%.*s/libbench_clock.so' valgrind --tool=callgrind "
             "--callgrind-out-file=/dev/null '%s' %s 2>&1",
             COPIES_IN_LOOPS, (int)length, self, self, arguments);
    output = popen(command, "r"); /* NOLINT(cert-env33-c): the line is ours */
    if (!output) return 0;
    while (fgets(line, sizeof line, output)) {
        const char *at = strstr(line, "Collected : ");
        if (at) instructions = strtoull(at + strlen("Collected : "), NULL, 10);
    }
    return pclose(output) == 0 ? instructions : 0;
}

void bench_table_line(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

static struct {
    char *text;
    size_t length, capacity;
} rows;

void bench_row(const char *format, ...) {
    char line[1024];
    va_list arguments;
    size_t length;
    va_start(arguments, format);
    length = (size_t)vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length > sizeof line - 2) bench_fail("a row is longer than %zu bytes", sizeof line);
    line[length++] = '\n';
    if (rows.length + length > rows.capacity) {
        rows.capacity = 2 * (rows.capacity + sizeof line);
        rows.text = realloc(rows.text, rows.capacity);
        if (!rows.text) bench_fail("no memory for the rows");
    }
    memcpy(rows.text + rows.length, line, length);
    rows.length += length;
}

void bench_rows_print(void) {
    if (!rows.length) return;
    putchar('\n');
    fwrite(rows.text, 1, rows.length, stdout);
    free(rows.text);
    memset(&rows, 0, sizeof rows);
}

/* ---- options ---- */

bench_list bench_option_list(const struct argp_state *state, const char *option, const char *text,
                             uint64_t min, uint64_t max) {
    bench_list list = {{0}, 0};
    char *copy = strdup(text), *rest = copy, *part;
    if (!copy) bench_fail("no memory");
    while ((part = strsep(&rest, ","))) {
        if (list.count == BENCH_LIST_MAX)
            argp_error(state, "%s: at most %u values", option, BENCH_LIST_MAX);
        list.values[list.count++] = option_unsigned(state, option, part, min, max);
    }
    free(copy);
    return list;
}

void bench_take_list(const struct argp_state *state, const option_row *row, const char *text,
                     void *member) {
    *(bench_list *)member = bench_option_list(state, row->name, text, row->min, row->max);
}

bench_list bench_list_of(size_t count, const uint64_t *values) {
    bench_list list = {{0}, count};
    memcpy(list.values, values, count * sizeof *values);
    return list;
}

bench_list bench_threads_default(void) {
    uint64_t both[] = {1, bench_cpus()};
    return bench_list_of(both[1] > 1 ? 2 : 1, both);
}
