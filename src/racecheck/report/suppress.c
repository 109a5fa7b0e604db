#include "racecheck/report/suppress.h"
#include "racecheck/report/blocks.h"
#include <stdio.h>
#include <string.h>

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

/* Does `pattern`, in which '*' is any text, match all of `text`? */
static bool matches(const char *pattern, const char *text) {
    const char *star = NULL, *again = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            again = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) { /* the last star takes one more */
            pattern = star + 1;
            text = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

/* Takes blanks off both ends. */
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
    for (; path != NULL && *path != '\0'; path++) /* each end that begins a name */
        if (*path == '/' && any('p', path + 1)) return true;
    return false;
}
