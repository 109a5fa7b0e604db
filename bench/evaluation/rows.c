#include "rows.h"

#include "common.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(const char *key) { return key + strlen(key) + 1; }
static const char *next_pair(const char *key) {
    const char *value = value_of(key);
    return value + strlen(value) + 1;
}

/* The length of a key that an equals sign follows; 0: none. */
static size_t key_length(const char *text) {
    size_t length = 0;
    if (!isalpha((unsigned char)*text)) return 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
    return text[length] == '=' ? length : 0;
}

static void add(rows *all, row r) {
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 16;
        all->of = realloc(all->of, all->capacity * sizeof *all->of);
        if (!all->of) bench_fail("no memory for the rows");
    }
    all->of[all->count++] = r;
}

/* Words that are no pairs are left out. */
static row parse_line(const char *line, size_t length) {
    row r = {bench_allocate(length + 2, 1), 0};
    char *to = r.text;
    const char *end = line + length;
    while (line < end) {
        size_t word = strcspn(line, " \n"), key = key_length(line);
        if (key && key < word) {
            memcpy(to, line, word);
            to[key] = 0;
            to += word + 1;
            r.pairs++;
        }
        line += word + 1;
    }
    return r;
}

void rows_parse(rows *all, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (key_length(text)) add(all, parse_line(text, length));
        text += length + (text[length] == '\n');
    }
}

void rows_clean_up(rows *all) {
    for (size_t i = 0; i < all->count; i++) free(all->of[i].text);
    free(all->of);
    *all = (rows){0};
}

const char *row_text(const row *r, const char *key) {
    const char *at = r ? r->text : NULL;
    for (size_t i = 0; r && i < r->pairs; i++, at = next_pair(at))
        if (!strcmp(at, key)) return value_of(at);
    return NULL;
}

double row_number(const row *r, const char *key) {
    const char *text = row_text(r, key);
    char *end;
    double value;
    if (!text) return NAN;
    value = strtod(text, &end);
    return end == text || *end ? NAN : value;
}

bool row_matches(const row *r, const char *pairs) {
    row wanted = parse_line(pairs, strlen(pairs));
    const char *at = wanted.text;
    bool all = true;
    for (size_t i = 0; i < wanted.pairs && all; i++, at = next_pair(at)) {
        const char *mine = row_text(r, at);
        all = mine && !strcmp(mine, value_of(at));
    }
    free(wanted.text);
    return all;
}

const row *rows_find(const rows *all, const char *pairs) {
    for (size_t i = 0; i < all->count; i++)
        if (row_matches(&all->of[i], pairs)) return &all->of[i];
    return NULL;
}

/* ---- JSON ---- */

void json_string(FILE *to, const char *text) {
    fputc('"', to);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') fprintf(to, "\\%c", c);
        else if (c < 0x20) fprintf(to, "\\u%04x", c);
        else fputc(c, to);
    }
    fputc('"', to);
}

static size_t digits(const char *text) { return strspn(text, "0123456789"); }

/* The length of JSON's idea of a number at `text`; 0: none. Whole numbers beyond 2^53 are none:
 * readers would round them. */
static size_t number_length(const char *text) {
    const char *at = text + (*text == '-');
    size_t whole = digits(at), part;
    if (!whole || (*at == '0' && whole > 1) || whole > 15) return 0;
    at += whole;
    if (*at == '.') {
        part = digits(at + 1);
        if (!part) return 0;
        at += 1 + part;
    }
    if (*at == 'e' || *at == 'E') {
        size_t sign = at[1] == '-' || at[1] == '+';
        part = digits(at + 1 + sign);
        if (!part) return 0;
        at += 1 + sign + part;
    }
    return (size_t)(at - text);
}

static bool is_list(const char *text) {
    while (number_length(text) && text[number_length(text)] == ',') text += number_length(text) + 1;
    return number_length(text) && !text[number_length(text)];
}

static void print_value(FILE *to, const char *text) {
    if (!strcmp(text, "nan") || !strcmp(text, "-nan") || !strcmp(text, "inf")) fputs("null", to);
    else if (!is_list(text)) json_string(to, text);
    else fprintf(to, strchr(text, ',') ? "[%s]" : "%s", text);
}

static void print_row(FILE *to, const row *r) {
    const char *at = r->text;
    fputc('{', to);
    for (size_t i = 0; i < r->pairs; i++, at = next_pair(at)) {
        if (i) fputc(',', to);
        json_string(to, at);
        fputc(':', to);
        print_value(to, value_of(at));
    }
    fputc('}', to);
}

void rows_print_json(const rows *all, FILE *to) {
    fputc('[', to);
    for (size_t i = 0; i < all->count; i++) {
        fputs(i ? ",\n" : "\n", to);
        print_row(to, &all->of[i]);
    }
    fputs("\n]", to);
}

/* A string's end; what a backslash hides is taken as it is. */
static const char *copy_string(FILE *to, const char *text) {
    for (; *text && *text != '"'; text++) {
        if (*text == '\\' && text[1]) text++;
        fputc(*text == ' ' ? '_' : *text, to);
    }
    return text + (*text == '"');
}

/* {"key":value,...} as key=value pairs. @return false: the line is no such object. */
static bool copy_object(FILE *to, const char *line) {
    if (*line++ != '{') return false;
    while (*line == '"') {
        line = copy_string(to, line + 1);
        if (*line++ != ':') return false;
        fputc('=', to);
        if (*line == '"') {
            line = copy_string(to, line + 1);
        } else {
            bool list = *line == '[';
            size_t length = strcspn(line += list, list ? "]" : ",}");
            if (!length || *line == '{') return false;
            fwrite(line, 1, length, to);
            line += length + list;
        }
        fputc(' ', to);
        if (*line == ',') line++;
    }
    fputc('\n', to);
    return *line == '}';
}

size_t rows_read_json(rows *all, const char *text) {
    size_t before = all->count;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char *pairs = NULL;
        size_t size;
        FILE *to = open_memstream(&pairs, &size);
        bool good;
        if (!to) bench_fail("no memory");
        good = copy_object(to, line);
        fclose(to);
        if (good) rows_parse(all, pairs);
        free(pairs);
    }
    return all->count - before;
}
