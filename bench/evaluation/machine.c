#include "machine.h"

#include "common.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { FACTS_MAX = 16 };

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
