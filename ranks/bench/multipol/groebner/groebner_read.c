/* The text form of systems of polynomials: a parser that says where and what it expected, and a
 * printer. */
#include "groebner.h"

#include "common/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
    const char *at, *end, *line_begin;
    uint32_t line;
    system_of_polynomials *s;
    char *fault;
} parser;

static bool wrong_at(const parser *p, const char *at, const char *format, ...) {
    va_list list;
    int used = snprintf(p->fault, GROEBNER_FAULT, "%u:%u: ", (unsigned)p->line,
                        (unsigned)(at - p->line_begin) + 1);
    va_start(list, format);
    (void)vsnprintf(p->fault + used, GROEBNER_FAULT - (size_t)used, format, list);
    va_end(list);
    return false;
}

/* ---- characters ---- */

static bool is_in(char c, char low, char high) { return c >= low && c <= high; }
static bool is_digit(char c) { return is_in(c, '0', '9'); }
static bool is_letter(char c) { return is_in(c, 'a', 'z') || is_in(c, 'A', 'Z') || c == '_'; }

/* The next character that is no space, of this line; 0: its end, or that of a comment. A zero byte
 * is a character that fits nowhere. */
static char look(parser *p) {
    while (p->at != p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')) p->at++;
    if (p->at == p->end || *p->at == '\n' || *p->at == '#') return '\0';
    return *p->at == '\0' ? '?' : *p->at;
}

static bool take(parser *p, char c) {
    if (look(p) != c) return false;
    p->at++;
    return true;
}

/* To the next line that has something. @return false: there is none. */
static bool next_line(parser *p) {
    for (;;) {
        if (look(p) != '\0') return true;
        while (p->at != p->end && *p->at != '\n') p->at++; /* a comment */
        if (p->at == p->end) return false;
        p->line_begin = ++p->at;
        p->line++;
    }
}

/* ---- words and numbers ---- */

static size_t word_bytes(const parser *p) {
    const char *at = p->at;
    if (at == p->end || !is_letter(*at)) return 0;
    while (at != p->end && (is_letter(*at) || is_digit(*at))) at++;
    return (size_t)(at - p->at);
}

static bool take_word(parser *p, const char *word) {
    size_t bytes = look(p) == '\0' ? 0 : word_bytes(p);
    if (bytes != strlen(word) || memcmp(p->at, word, bytes) != 0)
        return wrong_at(p, p->at, "the word \"%s\" was expected", word);
    p->at += bytes;
    return true;
}

/* A number in decimal digits, at most `most`. */
static bool read_number(parser *p, uint64_t most, const char *what, uint64_t *value) {
    const char *begin;
    (void)look(p);
    begin = p->at;
    *value = 0;
    if (p->at == p->end || !is_digit(*p->at)) return wrong_at(p, begin, "%s was expected", what);
    for (; p->at != p->end && is_digit(*p->at); p->at++) {
        *value = *value * 10 + (uint64_t)(*p->at - '0');
        if (*value > most)
            return wrong_at(p, begin, "%s, at most %llu, was expected", what,
                            (unsigned long long)most);
    }
    return true;
}

/* Any number of digits, modulo the field's modulus. */
static uint64_t read_coefficient(parser *p) {
    uint64_t value = 0;
    for (; p->at != p->end && is_digit(*p->at); p->at++)
        value = (value * 10 + (uint64_t)(*p->at - '0')) % p->s->modulus;
    return value;
}

/* ---- the head ---- */

static uint32_t find_variable(const system_of_polynomials *s, const char *name, size_t bytes) {
    uint32_t i = 0;
    while (i < s->variables &&
           (strlen(s->names[i]) != bytes || memcmp(s->names[i], name, bytes) != 0))
        i++;
    return i;
}

static bool read_variables(parser *p) {
    system_of_polynomials *s = p->s;
    if (!next_line(p)) return wrong_at(p, p->at, "the word \"variables\" was expected");
    if (!take_word(p, "variables")) return false;
    while (look(p) != '\0') {
        size_t bytes = word_bytes(p);
        if (bytes == 0 || bytes >= GROEBNER_NAME)
            return wrong_at(p, p->at, "a name of letters and digits, at most %d, was expected",
                            GROEBNER_NAME - 1);
        if (find_variable(s, p->at, bytes) != s->variables)
            return wrong_at(p, p->at, "another name was expected: this one is there already");
        if (s->variables == GROEBNER_VARIABLES)
            return wrong_at(p, p->at, "the end of the line was expected: %d variables are the most",
                            GROEBNER_VARIABLES);
        memcpy(s->names[s->variables++], p->at, bytes);
        p->at += bytes;
    }
    return s->variables != 0 || wrong_at(p, p->at, "the name of a variable was expected");
}

static bool read_modulus(parser *p) {
    uint64_t value;
    const char *begin;
    if (!next_line(p)) return wrong_at(p, p->at, "the word \"modulus\" was expected");
    if (!take_word(p, "modulus")) return false;
    (void)look(p);
    begin = p->at;
    if (!read_number(p, INT32_MAX, "a prime", &value)) return false;
    if (!field_is_prime((uint32_t)value)) return wrong_at(p, begin, "a prime was expected");
    p->s->modulus = (uint32_t)value;
    return look(p) == '\0' || wrong_at(p, p->at, "the end of the line was expected");
}

/* ---- polynomials ---- */

/* A variable, and its exponent. */
static bool read_power(parser *p, monomial *m) {
    size_t bytes = word_bytes(p);
    uint32_t which = find_variable(p->s, p->at, bytes);
    const char *begin = p->at;
    uint64_t exponent = 1;
    if (bytes == 0 || which == p->s->variables)
        return wrong_at(p, begin,
                        bytes == 0 ? "a number or a variable was expected"
                                   : "a variable of the first line was expected");
    p->at += bytes;
    if (take(p, '^') && !read_number(p, GROEBNER_DEGREE, "an exponent", &exponent)) return false;
    if (m->degree + exponent > GROEBNER_DEGREE)
        return wrong_at(p, begin, "a term of degree %d at most was expected", GROEBNER_DEGREE);
    m->e[which] = (uint16_t)(m->e[which] + exponent);
    m->degree = (uint16_t)(m->degree + exponent);
    return true;
}

/* Factors: numbers and powers. */
static bool read_term(parser *p, bool minus, polynomial *to) {
    monomial m = {0};
    uint64_t c = 1;
    do {
        if (is_digit(look(p))) c = c * read_coefficient(p) % p->s->modulus;
        else if (!read_power(p, &m)) return false;
    } while (take(p, '*'));
    if (minus && c != 0) c = p->s->modulus - c;
    if (c != 0) polynomial_append(to, (uint32_t)c, &m);
    return true;
}

static bool read_polynomial(parser *p) {
    polynomial *to = system_add(p->s);
    const char *begin = p->at;
    bool minus = take(p, '-');
    for (;;) {
        if (!read_term(p, minus, to)) return false;
        if (look(p) == '\0') break;
        minus = take(p, '-');
        if (!minus && !take(p, '+'))
            return wrong_at(p, p->at, "+, -, *, ^ or the end of the line was expected");
    }
    polynomial_arrange(to, p->s->modulus);
    return to->count != 0 || wrong_at(p, begin, "a polynomial other than 0 was expected");
}

bool system_parse(system_of_polynomials *s, const char *text, size_t bytes,
                  char fault[GROEBNER_FAULT]) {
    parser p = {text, text + bytes, text, 1, s, fault};
    bool good;
    *s = (system_of_polynomials){0};
    good = read_variables(&p) && read_modulus(&p);
    while (good && next_line(&p)) good = read_polynomial(&p);
    if (good && s->count == 0) good = wrong_at(&p, p.at, "a polynomial was expected");
    if (!good) system_free(s);
    return good;
}

/* ---- files ---- */

static char *read_all(FILE *file, size_t *bytes) {
    uint32_t capacity = 0, used = 0;
    char *text = NULL;
    do {
        text = groebner_grow(text, &capacity, used + 4096, 1);
        used += (uint32_t)fread(text + used, 1, 4096, file);
    } while (!feof(file) && !ferror(file) && used < UINT32_MAX / 4);
    *bytes = used;
    return text;
}

bool system_read(system_of_polynomials *s, const char *path, char fault[GROEBNER_FAULT]) {
    char told[GROEBNER_FAULT];
    input in;
    size_t bytes = 0;
    char *text;
    bool good;
    int error = input_open(&in, path);
    *s = (system_of_polynomials){0};
    if (error != 0) {
        (void)snprintf(fault, GROEBNER_FAULT,
                       "%.80s:1:1: a file that can be opened was expected: %s", path,
                       strerror(error));
        return false;
    }
    text = read_all(in.file, &bytes);
    good = input_close(&in);
    if (!good) (void)snprintf(told, sizeof told, "1:1: a file that xz can unpack was expected");
    good = good && system_parse(s, text, bytes, told);
    if (!good) (void)snprintf(fault, GROEBNER_FAULT, "%.80s:%.110s", path, told);
    free(text);
    return good;
}

/* ---- printing ---- */

typedef struct printer {
    char *text;
    size_t bytes, used;
} printer;

static void print(printer *to, const char *format, ...) {
    va_list list;
    size_t left = to->used < to->bytes ? to->bytes - to->used : 0;
    int some;
    va_start(list, format);
    some = vsnprintf(left == 0 ? NULL : to->text + to->used, left, format, list);
    va_end(list);
    if (some > 0) to->used += (size_t)some;
}

static void print_term(printer *to, const system_of_polynomials *s, const term *t) {
    const char *between = "";
    if (t->c != 1 || t->m.degree == 0) {
        print(to, "%u", (unsigned)t->c);
        between = "*";
    }
    for (uint32_t i = 0; i < s->variables; i++) {
        if (t->m.e[i] == 0) continue;
        print(to, "%s%s", between, s->names[i]);
        if (t->m.e[i] != 1) print(to, "^%u", (unsigned)t->m.e[i]);
        between = "*";
    }
}

size_t system_print(const system_of_polynomials *s, char *text, size_t bytes) {
    printer to = {text, bytes, 0};
    print(&to, "variables");
    for (uint32_t i = 0; i < s->variables; i++) print(&to, " %s", s->names[i]);
    print(&to, "\nmodulus %u\n", (unsigned)s->modulus);
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t t = 0; t < s->of[i].count; t++) {
            if (t != 0) print(&to, " + ");
            print_term(&to, s, &s->of[i].terms[t]);
            if (t + 1 == s->of[i].count) print(&to, "\n");
        }
    return to.used;
}
