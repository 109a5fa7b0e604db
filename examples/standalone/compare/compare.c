/* Runs both versions of yours.c alternately and prints the result. No need to change this file.
 *
 * Run:    build/compare [--threads N] [--rounds N]
 * Expect: ratio .. and "results agree"; exit status 1 when they do not, 2 for wrong arguments. */
#define _POSIX_C_SOURCE 200809L
#include "compare.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <limits.h>
#include <malloc.h>
#endif

enum { ROUNDS_MAX = 999, THREADS_MAX = 1024, ROUNDS_WITH_INTERVAL = 6 };

static void *check_memory(void *memory) {
    if (memory) return memory;
    fputs("compare: no memory\n", stderr);
    exit(EXIT_FAILURE);
}

static void check(svs_status status, const char *what) {
    if (!status) return;
    fprintf(stderr, "compare: %s: %s: %s\n", what, svs_status_name(status),
            svs_status_text(status));
    exit(EXIT_FAILURE);
}

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* What a round frees stays in the process for the next round, as in a program that runs for long.
 * Otherwise the first use of new pages from the system would be measured. */
static void keep_memory(void) {
#if defined(__GLIBC__)
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

/* ---- locks: threads that wait for a round and take pieces from a counter ---- */

typedef struct crew {
    pthread_t threads[THREADS_MAX];
    unsigned count; /* the caller included */
    pthread_barrier_t begin, end;
    atomic_size_t next;
    void *data; /* NULL: exit */
} crew;

static void work(crew *c) {
    for (;;) {
        /* relaxed: an index only; the barriers order the data. */
        size_t first = atomic_fetch_add_explicit(&c->next, yours.chunk, memory_order_relaxed);
        size_t i;
        if (first >= yours.count) return;
        for (i = first; i < yours.count && i < first + yours.chunk; i++) yours.locked(c->data, i);
    }
}

static void *serve(void *argument) {
    crew *c = argument;
    for (;;) {
        pthread_barrier_wait(&c->begin);
        if (!c->data) return NULL;
        work(c);
        pthread_barrier_wait(&c->end);
    }
}

static void crew_open(crew *c, unsigned threads) {
    unsigned i;
    c->count = threads;
    pthread_barrier_init(&c->begin, NULL, threads);
    pthread_barrier_init(&c->end, NULL, threads);
    for (i = 1; i < threads; i++)
        if (pthread_create(&c->threads[i], NULL, serve, c)) {
            fputs("compare: a thread cannot be made\n", stderr);
            exit(EXIT_FAILURE);
        }
}

static double crew_run(crew *c, void *data) {
    double begin = now_ms();
    c->data = data;
    atomic_store(&c->next, 0);
    pthread_barrier_wait(&c->begin);
    work(c);
    pthread_barrier_wait(&c->end);
    return now_ms() - begin;
}

static void crew_close(crew *c) {
    unsigned i;
    c->data = NULL;
    pthread_barrier_wait(&c->begin);
    for (i = 1; i < c->count; i++) pthread_join(c->threads[i], NULL);
    pthread_barrier_destroy(&c->begin);
    pthread_barrier_destroy(&c->end);
}

/* ---- SvS: one runtime; a world and a graph for each run ---- */

static double svs_run(svs_runtime *runtime, void *data) {
    svs_world *world;
    svs_graph *graph;
    svs_task *task;
    size_t size = yours.task->item_size, bulk = yours.chunk, first, i;
    char *items = check_memory(calloc(bulk, size));
    double begin;
    check(svs_world_new(runtime, NULL, &world), "svs_world_new");
    check(svs_graph_new(world, NULL, &graph), "svs_graph_new");
    check(svs_graph_add_itemizer(graph, yours.task, data, &task), "svs_graph_add_itemizer");
    begin = now_ms();
    for (first = 0; first < yours.count; first += bulk) {
        size_t some = yours.count - first < bulk ? yours.count - first : bulk;
        for (i = 0; i < some; i++) yours.item(data, first + i, items + i * size);
        check(svs_graph_send(graph, task, items, some, size), "svs_graph_send");
    }
    check(svs_graph_run(graph, 1, NULL), "svs_graph_run");
    begin = now_ms() - begin;
    check(svs_graph_free(graph), "svs_graph_free");
    check(svs_world_free(world), "svs_world_free");
    free(items);
    return begin;
}

/* ---- results ---- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *sorted, size_t n) {
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* The rank, from 0, below which the median lies with probability at most 1/40, for any
 * distribution: each value is above or below the median with equal probability. */
static size_t low_rank(size_t n) {
    double term = 1, below = 0;
    size_t rank = 0, i;
    for (i = 0; i < n; i++) term /= 2;
    while (rank < n / 2 && below + term <= 0.025) {
        below += term;
        term = term * (double)(n - rank) / (double)(rank + 1);
        rank++;
    }
    return rank ? rank - 1 : 0;
}

static void print(const char *name, double *ms, size_t rounds) {
    qsort(ms, rounds, sizeof *ms, by_size);
    printf("%-8s %10.3f ms   (quartiles %.3f to %.3f)\n", name, median(ms, rounds), ms[rounds / 4],
           ms[rounds - 1 - rounds / 4]);
}

static void print_ratio(double *ratios, size_t rounds) {
    size_t low = low_rank(rounds);
    qsort(ratios, rounds, sizeof *ratios, by_size);
    printf("%-8s %10.3f", "ratio", median(ratios, rounds));
    if (rounds >= ROUNDS_WITH_INTERVAL)
        printf("      (95%% interval %.3f to %.3f): %s", ratios[low], ratios[rounds - 1 - low],
               ratios[rounds - 1 - low] < 1 ? "SvS is faster"
               : ratios[low] > 1            ? "the locks are faster"
                                            : "no significant difference");
    putchar('\n');
}

static int run(unsigned threads, size_t rounds) {
    static double locked_ms[ROUNDS_MAX], svs_ms[ROUNDS_MAX], ratios[ROUNDS_MAX];
    static crew locks;
    svs_runtime *runtime;
    svs_runtime_options options;
    size_t agreed = 0, r;
    keep_memory();
    svs_runtime_options_init(&options);
    options.threads = threads;
    check(svs_runtime_new(&options, &runtime), "svs_runtime_new");
    check(svs_runtime_start(runtime), "svs_runtime_start");
    crew_open(&locks, threads);
    for (r = 0; r < rounds; r++) {
        void *mine = check_memory(yours.make()), *theirs = check_memory(yours.make());
        if (r % 2) svs_ms[r] = svs_run(runtime, theirs);
        locked_ms[r] = crew_run(&locks, mine);
        if (!(r % 2)) svs_ms[r] = svs_run(runtime, theirs);
        ratios[r] = svs_ms[r] / locked_ms[r];
        if (yours.agree(mine, theirs)) agreed++;
        yours.release(mine);
        yours.release(theirs);
    }
    crew_close(&locks);
    check(svs_runtime_free(runtime), "svs_runtime_free");
    printf("%s: %zu pieces, %u threads, %zu rounds in turns\n", yours.name, yours.count, threads,
           rounds);
    print("locked", locked_ms, rounds);
    print("svs", svs_ms, rounds);
    print_ratio(ratios, rounds);
    if (agreed == rounds) printf("results agree in all rounds\n");
    else printf("results DIFFER in %zu of %zu rounds\n", rounds - agreed, rounds);
    return agreed == rounds ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int number(const char *text, unsigned long most, unsigned long *value) {
    char *end;
    if (*text < '1' || *text > '9') return 0;
    *value = strtoul(text, &end, 10);
    return !*end && *value <= most;
}

int main(int argc, char **argv) {
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned long threads = cpus > 0 ? (unsigned long)cpus : 1, rounds = 21;
    int i, good = argc % 2;
    if (threads > THREADS_MAX) threads = THREADS_MAX;
    for (i = 1; i + 1 < argc && good; i += 2)
        good = !strcmp(argv[i], "--threads")  ? number(argv[i + 1], THREADS_MAX, &threads)
               : !strcmp(argv[i], "--rounds") ? number(argv[i + 1], ROUNDS_MAX, &rounds)
                                              : 0;
    if (!good) {
        fputs("usage: compare [--threads N] [--rounds N]\n", stderr);
        return 2;
    }
    return run((unsigned)threads, (size_t)rounds);
}
