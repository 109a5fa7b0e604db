#include "source.h"

#include "common.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *source_read_file(const char *path) {
    FILE *from = fopen(path, "r");
    char *text = NULL, piece[4096];
    size_t size, got;
    FILE *to;
    if (!from) return NULL;
    to = open_memstream(&text, &size);
    if (!to) bench_fail("no memory");
    while ((got = fread(piece, 1, sizeof piece, from)) > 0) fwrite(piece, 1, got, to);
    fclose(from);
    fclose(to);
    return text;
}

/* Comments become spaces; line ends stay. */
static void blank_comments(char *text) {
    char quote = 0;
    while (*text) {
        if (quote) {
            if (*text == '\\' && text[1]) text++;
            else if (*text == quote) quote = 0;
            text++;
        } else if (*text == '"' || *text == '\'') {
            quote = *text++;
        } else if (text[0] == '/' && text[1] == '/') {
            while (*text && *text != '\n') *text++ = ' ';
        } else if (text[0] == '/' && text[1] == '*') {
            while (*text && strncmp(text, "*/", 2)) {
                if (*text != '\n') *text = ' ';
                text++;
            }
            if (*text) *text++ = ' ', *text++ = ' ';
        } else {
            text++;
        }
    }
}

static void add_line(source *s, char *line) {
    char *end = line + strlen(line);
    while (isspace((unsigned char)*line)) line++;
    while (end > line && isspace((unsigned char)end[-1])) *--end = 0;
    if (!*line) return;
    s->lines = realloc(s->lines, (s->count + 1) * sizeof *s->lines);
    if (!s->lines || !(s->lines[s->count++] = strdup(line))) bench_fail("no memory");
}

bool source_add(source *s, const char *path) {
    char *text = source_read_file(path), *rest = text, *line;
    if (!text) return false;
    blank_comments(text);
    while ((line = strsep(&rest, "\n"))) add_line(s, line);
    free(text);
    return true;
}

void source_clean_up(source *s) {
    for (size_t i = 0; i < s->count; i++) free(s->lines[i]);
    free(s->lines);
    *s = (source){0};
}

/* By the longest common subsequence: these are small files. */
source_changes source_compare(const source *from, const source *to) {
    size_t width = to->count + 1, common;
    size_t *lengths = bench_allocate((from->count + 1) * width, sizeof *lengths);
    for (size_t i = 1; i <= from->count; i++)
        for (size_t j = 1; j <= to->count; j++) {
            size_t up = lengths[(i - 1) * width + j], left = lengths[i * width + j - 1];
            lengths[i * width + j] = !strcmp(from->lines[i - 1], to->lines[j - 1])
                                         ? lengths[(i - 1) * width + j - 1] + 1
                                     : up > left ? up
                                                 : left;
        }
    common = lengths[from->count * width + to->count];
    free(lengths);
    return (source_changes){to->count - common, from->count - common};
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Whether the identifier of `length` letters is one of the words. */
static bool is_word(const char *identifier, size_t length, const char *words) {
    for (const char *end; (end = strchr(words, '|')); words = end + 1) {
        size_t wanted = (size_t)(end - words);
        if (wanted && words[wanted - 1] == '*') {
            if (length >= wanted - 1 && !strncmp(identifier, words, wanted - 1)) return true;
        } else if (length == wanted && !strncmp(identifier, words, wanted)) {
            return true;
        }
    }
    return false;
}

size_t source_calls(const source *s, const char *words) {
    size_t calls = 0;
    for (size_t i = 0; i < s->count; i++) {
        const char *at = s->lines[i];
        if (*at == '#') continue;
        while (*at) {
            size_t length = 0;
            while (is_letter(at[length])) length++;
            if (length && is_word(at, length, words)) {
                const char *next = at + length + strspn(at + length, " ");
                calls += *next == '(' || *next == '{';
            }
            at += length ? length : 1;
        }
    }
    return calls;
}
