#include "json.h"
#include <ctype.h>
#include <stdlib.h>

enum { DEPTH_MAX = 4000 };

typedef struct reader {
    scan_arena *arena;
    char *at, *end;
    int depth;
} reader;

static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/* clang indents: most of a tree are spaces, which come in eights. */
static void skip_blanks(reader *r) {
    while (r->at < r->end && is_blank(*r->at)) {
        uint64_t eight;
        for (r->at++; r->end - r->at >= 8; r->at += 8) {
            memcpy(&eight, r->at, sizeof eight);
            if (eight != UINT64_C(0x2020202020202020)) break;
        }
        while (r->at < r->end && *r->at == ' ') r->at++;
    }
}

static bool take(reader *r, char wanted) {
    skip_blanks(r);
    if (r->at >= r->end || *r->at != wanted) return false;
    r->at++;
    return true;
}

/* The bytes of a \u escape, as UTF-8. @return behind them, or NULL. */
static char *unescape_unicode(reader *r, char *to) {
    char digits[5] = {0};
    unsigned long code;
    if (r->end - r->at < 4) return NULL;
    for (int i = 0; i < 4; i++)
        if (!isxdigit((unsigned char)(digits[i] = *r->at++))) return NULL;
    code = strtoul(digits, NULL, 16);
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

/* Decodes a string in place, behind its first quote. @return NULL when it does not end. */
static const char *read_text(reader *r) {
    static const char escapes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char *begin = r->at, *to = r->at;
    char *quote = memchr(begin, '"', (size_t)(r->end - begin));
    if (quote && !memchr(begin, '\\', (size_t)(quote - begin))) { /* as most */
        *quote = 0;
        r->at = quote + 1;
        return begin;
    }
    while (r->at < r->end && *r->at != '"') {
        const char *escape;
        if (*r->at != '\\') {
            *to++ = *r->at++;
            continue;
        }
        if (++r->at >= r->end) return NULL;
        if (*r->at == 'u') {
            r->at++;
            if (!(to = unescape_unicode(r, to))) return NULL;
        } else if (*r->at && (escape = strchr(escapes, *r->at))) {
            *to++ = values[escape - escapes];
            r->at++;
        } else {
            return NULL;
        }
    }
    if (r->at >= r->end) return NULL;
    r->at++;
    *to = 0;
    return begin;
}

static json *read_value(reader *r);

/* The elements up to `close`; with keys in an object. */
static bool read_inner(reader *r, json *into, char close) {
    json **last = &into->first;
    if (take(r, close)) return true;
    do {
        const char *key = NULL;
        if (close == '}' && (!take(r, '"') || !(key = read_text(r)) || !take(r, ':'))) return false;
        if (!(*last = read_value(r))) return false;
        (*last)->key = key;
        last = &(*last)->next;
    } while (take(r, ','));
    return take(r, close);
}

static bool read_plain(reader *r, json *value) {
    char *begin = r->at;
    while (r->at < r->end && (isalnum((unsigned char)*r->at) || strchr("+-.", *r->at))) r->at++;
    if (r->at == begin || r->at >= r->end) return false;
    char *copy = scan_take(r->arena, (size_t)(r->at - begin) + 1);
    value->text = memcpy(copy, begin, (size_t)(r->at - begin));
    value->kind = scan_same(copy, "null") ? JSON_NULL : JSON_PLAIN;
    return true;
}

static json *read_value(reader *r) {
    json *value = scan_take(r->arena, sizeof *value);
    bool good;
    if (++r->depth > DEPTH_MAX) return NULL;
    if (take(r, '"')) {
        value->kind = JSON_TEXT;
        good = (value->text = read_text(r)) != NULL;
    } else if (take(r, '{')) {
        value->kind = JSON_OBJECT;
        good = read_inner(r, value, '}');
    } else if (take(r, '[')) {
        value->kind = JSON_ARRAY;
        good = read_inner(r, value, ']');
    } else {
        good = read_plain(r, value);
    }
    r->depth--;
    return good ? value : NULL;
}

json *json_read(scan_arena *arena, char *text, size_t length, size_t *at) {
    reader r = {arena, text, text + length, 0};
    json *value = read_value(&r);
    skip_blanks(&r);
    *at = (size_t)(r.at - text);
    return r.at == r.end ? value : NULL;
}

static bool is_plain(char c) { return (unsigned char)c >= 32 && c != '"' && c != '\\'; }

static void write_text(FILE *output, const char *text) {
    fputc('"', output);
    while (*text) {
        size_t plain = 0;
        while (is_plain(text[plain])) plain++;
        fwrite(text, 1, plain, output);
        text += plain;
        if (*text == '"' || *text == '\\') fprintf(output, "\\%c", *text++);
        else if (*text) fprintf(output, "\\u%04x", (unsigned)*text++);
    }
    fputc('"', output);
}

void json_write(FILE *output, const json *value) {
    if (value->key) {
        write_text(output, value->key);
        fputc(':', output);
    }
    if (value->kind == JSON_TEXT) {
        write_text(output, value->text);
    } else if (value->kind == JSON_PLAIN || value->kind == JSON_NULL) {
        fputs(value->kind == JSON_NULL ? "null" : value->text, output);
    } else {
        fputc(value->kind == JSON_OBJECT ? '{' : '[', output);
        for (const json *inner = value->first; inner; inner = inner->next) {
            json_write(output, inner);
            if (inner->next) fputs(inner->next->first ? ",\n" : ",", output);
        }
        fputc(value->kind == JSON_OBJECT ? '}' : ']', output);
    }
}

const json *json_get(const json *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (const json *member = object->first; member; member = member->next)
        if (scan_same(member->key, key)) return member;
    return NULL;
}

const char *json_text(const json *object, const char *key) {
    const json *member = json_get(object, key);
    return member ? member->text : NULL;
}
