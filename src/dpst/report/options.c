#include "dpst/report/options.h"
#include "dpst/report/blocks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A key, and the kind of its value. */
typedef struct option {
    const char *key;
    enum { SWITCH, NUMBER, NUMBER_64, MEGABYTES, TEXT, LCA } kind;
    size_t offset;
    uint64_t most;
} option;

#define OF(field) offsetof(svs__check_settings, field)

static const option known[] = {
    {"start", SWITCH, OF(start), 1},
    {"report", SWITCH, OF(report), 1},
    {"immediate", SWITCH, OF(immediate), 1},
    {"symbols", SWITCH, OF(symbols), 1},
    {"exit", NUMBER, OF(exit), 255},
    {"reports", NUMBER, OF(reports), UINT32_MAX},
    {"frames", NUMBER, OF(frames), 1000},
    {"json", TEXT, OF(json), SVS__CHECK_PATH - 1},
    {"suppressions", TEXT, OF(suppressions), SVS__CHECK_PATH - 1},
    {"lca", LCA, OF(core.lca), 0},
    {"compare", SWITCH, OF(core.compare), 1},
    {"yield_one_in", NUMBER, OF(core.yield_one_in), UINT32_MAX},
    {"order_is_error", SWITCH, OF(core.order_is_error), 1},
    {"seed", NUMBER_64, OF(core.seed), UINT64_MAX},
    {"memory_mb", MEGABYTES, OF(core.max_bytes), SIZE_MAX >> 20},
};

static const char *const ways[] = {[SVS_CHECK_LCA_LABELS] = "labels",
                                   [SVS_CHECK_LCA_STEAL_TREE] = "steal-tree",
                                   [SVS_CHECK_LCA_WALK] = "walk"};

static void defaults(svs__check_settings *s) {
    memset(s, 0, sizeof *s);
    s->start = s->report = s->symbols = true;
    s->exit = 66;
    s->reports = 100;
    s->frames = 32;
    svs_check_options_init(&s->core);
}

static bool read_number(const char *text, uint64_t most, uint64_t *number) {
    char *end;
    if (*text < '0' || *text > '9') return false;
    *number = strtoull(text, &end, 10);
    return *end == '\0' && *number <= most;
}

static bool read_lca(const char *text, uint32_t *lca) {
    for (uint32_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(text, ways[i]) != 0) continue;
        *lca = i;
        return true;
    }
    return false;
}

static bool read_value(svs__check_settings *s, const option *o, const char *value) {
    void *to = (char *)s + o->offset;
    uint64_t number = 0;
    if (o->kind == LCA) return read_lca(value, to);
    if (o->kind == TEXT) {
        size_t length = strlen(value);
        if (length == 0 || length > o->most) return false;
        memcpy(to, value, length + 1);
        return true;
    }
    if (!read_number(value, o->most, &number)) return false;
    if (o->kind == SWITCH) *(bool *)to = number != 0;
    else if (o->kind == NUMBER) *(uint32_t *)to = (uint32_t)number;
    else if (o->kind == NUMBER_64) *(uint64_t *)to = number;
    else *(size_t *)to = (size_t)number << 20;
    return true;
}

static bool read_pair(svs__check_settings *s, char *pair, char *error, size_t room) {
    char *value = strchr(pair, '=');
    int used;
    if (value != NULL) {
        *value++ = '\0';
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strcmp(known[i].key, pair) != 0) continue;
            if (read_value(s, &known[i], value)) return true;
            (void)snprintf(error, room, "'%s' cannot be %s", value, pair);
            return false;
        }
    }
    used = snprintf(error, room, "'%s' is not one of", pair);
    for (size_t i = 0; i < sizeof known / sizeof *known && used > 0 && (size_t)used < room; i++)
        used += snprintf(error + used, room - (size_t)used, " %s=", known[i].key);
    return false;
}

bool svs__check_settings_read(svs__check_settings *settings, const char *text, char *error,
                              size_t room) {
    char pair[SVS__CHECK_PATH + 64];
    defaults(settings);
    if (text == NULL) return true;
    for (;;) {
        size_t length;
        text += strspn(text, ": \t\n");
        if (*text == '\0') return true;
        length = strcspn(text, ": \t\n");
        if (length >= sizeof pair) {
            (void)snprintf(error, room, "'%.40s...' is too long", text);
            return false;
        }
        memcpy(pair, text, length);
        pair[length] = '\0';
        if (!read_pair(settings, pair, error, room)) return false;
        text += length;
    }
}

/* ---- suppressions ---- */

#define LINES_MAX 1000u
#define LINE_BYTES 256

typedef struct rule {
    char kind; /* 'f' function, 'p' file, 'o' object */
    char pattern[LINE_BYTES];
} rule;

static rule *rules;
static size_t count;

static const struct {
    const char *prefix;
    char kind;
} kinds[] = {{"function:", 'f'}, {"file:", 'p'}, {"object:", 'o'}};

/* Does `pattern` match all of `text`? '*' matches any text. */
static bool matches(const char *pattern, const char *text) {
    const char *star = NULL, *again = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            again = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) { /* the last star matches one character more */
            pattern = star + 1;
            text = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

/* Removes blanks at both ends. */
static char *trim(char *line) {
    size_t length;
    line += strspn(line, " \t\r\n");
    length = strlen(line);
    while (length > 0 && strchr(" \t\r\n", line[length - 1]) != NULL) line[--length] = '\0';
    return line;
}

static bool add(const char *line) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].prefix);
        if (strncmp(line, kinds[i].prefix, length) != 0 || line[length] == '\0') continue;
        if (count == LINES_MAX) return false;
        rules[count].kind = kinds[i].kind;
        (void)snprintf(rules[count].pattern, sizeof rules[count].pattern, "%s", line + length);
        count++;
        return true;
    }
    return false;
}

bool svs__suppress_read(const char *path, char *error, size_t room) {
    char text[LINE_BYTES];
    bool good = true;
    FILE *file = fopen(path, "r");
    rules = svs__real_calloc(LINES_MAX, sizeof *rules);
    if (file == NULL || rules == NULL) {
        (void)snprintf(error, room, "%s cannot be read", path);
        good = false;
    }
    for (unsigned number = 1; good && fgets(text, sizeof text, file) != NULL; number++) {
        char *line = trim(text);
        if (*line == '\0' || *line == '#') continue;
        good = add(line);
        if (!good)
            (void)snprintf(error, room,
                           "%s:%u: '%s' is not function:PATTERN, file:PATTERN or object:PATTERN",
                           path, number, line);
    }
    if (file != NULL) (void)fclose(file);
    return good;
}

static bool any(char kind, const char *text) {
    if (text == NULL) return false;
    for (size_t i = 0; i < count; i++)
        if (rules[i].kind == kind && matches(rules[i].pattern, text)) return true;
    return false;
}

bool svs__suppress_function(const char *name) { return any('f', name); }
bool svs__suppress_object(const char *name) { return any('o', name); }

bool svs__suppress_file(const char *path) {
    if (any('p', path)) return true;
    /* each rest of the path that begins with a name */
    for (; path != NULL && *path != '\0'; path++)
        if (*path == '/' && any('p', path + 1)) return true;
    return false;
}
