/* The table of `./dev demo`: demo [--threads N] [--transfers N] [--rounds N] [--html FILE] [--raw]
 * demo --once:   a single run, with SvS alone
 * demo --forget: the same, without the declaration of the accounts that are paid to */
#include "timeline.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5, FIRST = 100000 /* cents of each account */ };

typedef struct row {
    double times[REPEATS]; /* microseconds, sorted */
    double cpu;            /* microseconds of all threads in all runs */
    long lost;             /* cents, at most in any run */
} row;

static const char *const names[] = {"serial", "no protection", "one lock", "a lock an account",
                                    "SvS"};

static unsigned random_below(unsigned *state, unsigned end) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % end;
}

/* Accounts, their covers, and the transfers: the same in each process. */
static svs_status bank_open(bank *b) {
    unsigned state = 1;
    svs_status status = svs_start((uint32_t)b->threads, &b->world);
    for (int i = 0; i < ACCOUNTS && !status; i++) {
        status = SVS_NEW(b->world, account, &b->accounts[i]);
        if (!status) pthread_mutex_init(&b->accounts[i]->lock, NULL);
    }
    b->transfers = calloc((size_t)b->count, sizeof *b->transfers);
    if (b->transfers == NULL) return SVS_E_NO_MEMORY;
    for (int i = 0; i < b->count && !status; i++) {
        transfer *t = &b->transfers[i];
        t->from = b->accounts[random_below(&state, ACCOUNTS)];
        t->to = b->accounts[random_below(&state, ACCOUNTS)];
        t->cents = 1 + random_below(&state, 2 * FIRST);
        t->number = i;
        if (i % 50 == 0) t->new_cover = b->accounts[random_below(&state, ACCOUNTS)];
    }
    return status;
}

/* Restores the state before the first transfer. */
static svs_status bank_reset(bank *b) {
    svs_status status = SVS_OK;
    for (int i = 0; i < ACCOUNTS && !status; i++) {
        b->accounts[i]->cents = FIRST;
        status = svs_link(b->accounts[i], cover, b->accounts[i * 7 % ACCOUNTS]);
    }
    return status;
}

static long lost(const bank *b) {
    long sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) sum += FIRST - b->accounts[i]->cents;
    return sum;
}

static int by_value(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double cpu_microseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static svs_status measure(bank *b, row rows[ENGINES]) {
    svs_status status = SVS_OK;
    for (int round = 0; round < REPEATS; round++)
        for (int e = 0; e < ENGINES && !status; e++) {
            double begin, cpu;
            status = bank_reset(b);
            begin = microseconds();
            cpu = cpu_microseconds();
            if (!status) status = bank_run(b, (engine)e);
            rows[e].cpu += cpu_microseconds() - cpu;
            rows[e].times[round] = microseconds() - begin;
            if (labs(lost(b)) > labs(rows[e].lost)) rows[e].lost = lost(b);
        }
    for (int e = 0; e < ENGINES; e++)
        qsort(rows[e].times, REPEATS, sizeof rows[e].times[0], by_value);
    return status;
}

/* The lines of the bank that bear the engine's mark. */
static int lines_of(engine e) {
    static const char *const marks[] = {"", "", "/* one lock */", "/* locks */", "/* SvS */"};
    static const char *const paths[] = {DEMO_FOLDER "/bank.h", DEMO_FOLDER "/bank.c"};
    char line[256];
    int count = 0;
    for (int i = 0; i < 2 && marks[e][0]; i++) {
        FILE *source = fopen(paths[i], "r");
        if (source == NULL) return -1;
        while (fgets(line, sizeof line, source) != NULL) count += strstr(line, marks[e]) != NULL;
        fclose(source);
    }
    return count;
}

static void print_table(const bank *b, const row *rows) {
    double serial = rows[SERIAL].times[REPEATS / 2];
    printf("Bank: %d transfers over linked accounts, %d threads (%d runs each, median)\n", b->count,
           b->threads, REPEATS);
    printf("%-18s %11s %10s %10s %9s %7s\n", "", "money lost", "time", "of serial", "CPU each",
           "lines");
    for (int e = 0; e < ENGINES; e++) {
        double time = rows[e].times[REPEATS / 2];
        printf("%-18s %11.2f %7.1f ms %9.2fx %6.1f us %7d%s\n", names[e],
               (double)rows[e].lost / 100, time / 1e3, serial / time,
               rows[e].cpu / REPEATS / b->count, lines_of((engine)e),
               rows[e].lost ? "  <- wrong" : "");
    }
    printf("lines: needed for safety. Locks for each account take less time, and win where a body\n"
           "takes less than about a microsecond: docs/when-not-to-use.md\n");
}

static void print_raw(const bank *b, const row *rows) {
    for (int e = 0; e < ENGINES; e++)
        for (int round = 0; round < REPEATS; round++)
            printf("engine=%s threads=%d transfers=%d us=%.1f lost_cents=%ld\n", names[e],
                   b->threads, b->count, rows[e].times[round], rows[e].lost);
}

/* A run of SvS with a clock in its bodies. */
static svs_status draw(bank *b, const char *path) {
    svs_status status = bank_reset(b);
    int count = b->count;
    if (count > 2000) b->count = 2000;
    b->spans = calloc((size_t)b->count, sizeof *b->spans);
    if (b->spans == NULL) status = SVS_E_NO_MEMORY;
    if (!status) status = bank_run(b, SVS);
    if (!status && !timeline_write(b, 400, path)) {
        fprintf(stderr, "%s cannot be written\n", path);
        status = SVS_E_FILE;
    }
    free(b->spans);
    b->spans = NULL;
    b->count = count;
    return status;
}

typedef struct options {
    const char *html;
    bool raw, once;
} options;

static bool read_number(const char *name, const char *value, bank *b, options *o) {
    if (strcmp(name, "--html") == 0) o->html = value;
    else if (strcmp(name, "--threads") == 0) b->threads = atoi(value);
    else if (strcmp(name, "--transfers") == 0) b->count = atoi(value);
    else if (strcmp(name, "--rounds") == 0) b->rounds = atoi(value);
    else return false;
    return true;
}

static bool read_options(int count, char **arguments, bank *b, options *o) {
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i];
        if (strcmp(name, "--forget") == 0) b->forgets = o->once = true;
        else if (strcmp(name, "--once") == 0) o->once = true;
        else if (strcmp(name, "--raw") == 0) o->raw = true;
        else if (i + 1 == count || !read_number(name, arguments[++i], b, o)) return false;
    }
    return b->threads > 0 && b->threads <= 64 && b->count > 0 && b->rounds > 0;
}

/* @return whether each engine but the unprotected one kept all money. */
static bool is_right(const row *rows) {
    bool right = true;
    for (int e = 0; e < ENGINES; e++)
        if (e != UNPROTECTED && rows[e].lost != 0) {
            fprintf(stderr, "%s has lost money: please report this\n", names[e]);
            right = false;
        }
    return right;
}

static svs_status run_once(bank *b) {
    svs_status status = bank_reset(b);
    if (!status) status = bank_run(b, SVS);
    if (!status) printf("%d transfers with SvS, %ld cents lost\n", b->count, lost(b));
    return status;
}

static svs_status run_all(bank *b, const options *o, bool *right) {
    static row rows[ENGINES];
    svs_status status = measure(b, rows);
    *right = is_right(rows);
    if (!status) (o->raw ? print_raw : print_table)(b, rows);
    return !status && o->html != NULL ? draw(b, o->html) : status;
}

int main(int argument_count, char **arguments) {
    static bank b = {.threads = 2, .count = 10000, .rounds = 8000};
    options o = {NULL, false, false};
    bool right = true;
    svs_status status, closed;
    if (!read_options(argument_count, arguments, &b, &o)) {
        fprintf(stderr, "usage: demo [--threads N] [--transfers N] [--rounds N] [--html FILE] "
                        "[--raw] [--once] [--forget]\n");
        return 2;
    }
    status = bank_open(&b);
    if (!status) status = o.once ? run_once(&b) : run_all(&b, &o, &right);
    free(b.transfers);
    closed = svs_stop(b.world);
    if (!status) status = closed;
    if (status) fprintf(stderr, "%s: %s\n", svs_status_name(status), svs_status_text(status));
    return status || !right;
}
