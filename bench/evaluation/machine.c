#include "machine.h"

#include "common.h"
#include "common/pause.h"
#include "report.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { FACTS_MAX = 16, HANDOVERS = 4000, SPINS_BEFORE_YIELD = 4096 };

typedef struct fact {
    const char *name;
    char value[160];
} fact;

typedef struct facts {
    fact of[FACTS_MAX];
    size_t count;
} facts;

static void add(facts *f, const char *name, const char *value) {
    if (f->count == FACTS_MAX || !*value) return;
    f->of[f->count].name = name;
    snprintf(f->of[f->count].value, sizeof f->of->value, "%s", value);
    f->count++;
}

/* The value of the first line that begins with `key` and has a colon. */
static void from_file(char *value, size_t size, const char *path, const char *key) {
    char line[512];
    FILE *from = fopen(path, "r");
    *value = 0;
    while (from && !*value && fgets(line, sizeof line, from)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) || !colon) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
    }
    if (from) fclose(from);
}

static facts find_out(void) {
    facts f = {.count = 0};
    char text[160];
    struct utsname system;
    time_t now = time(NULL);
    struct tm day;
    double loads[3];
    from_file(text, sizeof text, "/proc/cpuinfo", "model name");
    add(&f, "processor", text);
    snprintf(text, sizeof text, "%u", bench_cpus());
    add(&f, "cpus", text);
    from_file(text, sizeof text, "/proc/cpuinfo", "cache size");
    add(&f, "cache", text);
    from_file(text, sizeof text, "/proc/meminfo", "MemTotal");
    add(&f, "memory", text);
    if (!uname(&system)) {
        snprintf(text, sizeof text, "%.60s %.60s %.30s", system.sysname, system.release,
                 system.machine);
        add(&f, "system", text);
    }
    add(&f, "compiler", EVALUATION_COMPILER);
    add(&f, "flags", EVALUATION_FLAGS);
    add(&f, "tbb", EVALUATION_TBB);
    add(&f, "svs", svs_version());
    if (gmtime_r(&now, &day) && strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &day))
        add(&f, "date", text);
    if (getloadavg(loads, 3) == 3) {
        snprintf(text, sizeof text, "%.2f %.2f %.2f", loads[0], loads[1], loads[2]);
        add(&f, "load", text);
    }
    return f;
}

static const char *value(const facts *f, const char *name) {
    for (size_t i = 0; i < f->count; i++)
        if (!strcmp(f->of[i].name, name)) return f->of[i].value;
    return "unknown";
}

void machine_sentence(FILE *to) {
    facts f = find_out();
    html_text(to, value(&f, "processor"));
    fprintf(to, ", <b>%u CPUs</b>; ", bench_cpus());
    html_text(to, value(&f, "system"));
    fputs("; ", to);
    html_text(to, value(&f, "compiler"));
    fputs("; ", to);
    html_text(to, value(&f, "date"));
}

void machine_table(FILE *to) {
    facts f = find_out();
    html_table_begin(to, "<what|<is");
    for (size_t i = 0; i < f.count; i++) html_table_row(to, "<%s|<%s", f.of[i].name, f.of[i].value);
    html_table_end(to);
}

void machine_json(FILE *to) {
    facts f = find_out();
    fputc('{', to);
    for (size_t i = 0; i < f.count; i++) {
        if (i) fputc(',', to);
        json_string(to, f.of[i].name);
        fputc(':', to);
        json_string(to, f.of[i].value);
    }
    fputc('}', to);
}

typedef struct court {
    _Atomic uint32_t ball;
} court;

static void play(court *c, uint32_t mine) {
    for (uint32_t i = mine; i < HANDOVERS; i += 2) {
        /* acquire and release: one side's turn happens before the other's. */
        for (uint32_t spins = 1; atomic_load_explicit(&c->ball, memory_order_acquire) != i;
             spins++) {
            if (spins % SPINS_BEFORE_YIELD) cpu_pause();
            else sched_yield();
        }
        atomic_store_explicit(&c->ball, i + 1, memory_order_release);
    }
}

static void *play_odd(void *argument) {
    play(argument, 1);
    return NULL;
}

double machine_handover_ns(void) {
    enum { GAMES = 7 };
    double games[GAMES];
    if (bench_cpus() < 2) return NAN;
    for (int i = 0; i < GAMES; i++) {
        court c = {0};
        pthread_t other;
        uint64_t begin = bench_wall_ns();
        if (pthread_create(&other, NULL, play_odd, &c)) return NAN;
        play(&c, 0);
        pthread_join(other, NULL);
        games[i] = (double)(bench_wall_ns() - begin) / HANDOVERS;
    }
    return bench_median(games, GAMES);
}
