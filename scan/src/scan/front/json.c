#include "scan/front/json_reader.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { DEPTH_MAX = 4000, PIECE_BYTES = 1 << 16 };

/* ---- pieces ---- */

/* Reads more text after `end`. Keeps the text that begins at `*token`, and moves it. */
static bool more(json_reader *r, char **token) {
    size_t kept = (size_t)(r->end - *token), read_to = (size_t)(r->at - *token);
    ssize_t got;
    if (!r->piece) return false;
    r->passed += (size_t)(*token - r->piece);
    memmove(r->piece, *token, kept);
    if (kept == r->room) {
        char *grown = realloc(r->piece, r->room *= 2);
        if (!grown) scan_fail("out of memory");
        r->piece = grown;
    }
    do got = read(r->from, r->piece + kept, r->room - kept);
    while (got < 0 && errno == EINTR);
    *token = r->piece;
    r->at = r->piece + read_to;
    r->end = r->piece + kept + (got > 0 ? got : 0);
    return got > 0;
}

void json_begin(json_reader *r, scan_arena *arena, int from) {
    r->arena = arena;
    r->from = from;
    r->room = PIECE_BYTES;
    r->piece = r->at = r->end = malloc(r->room);
    if (!r->piece) scan_fail("out of memory");
}

size_t json_end(json_reader *r) {
    do r->at = r->end;
    while (more(r, &r->at));
    free(r->piece);
    r->piece = NULL;
    return r->passed;
}

size_t json_offset(const json_reader *r, const char *text) {
    return r->passed + (size_t)(r->at - (r->piece ? r->piece : text));
}

/* Copies a text of a piece, for the tree. */
static const char *kept(json_reader *r, const char *text, size_t length) {
    if (!r->piece) return text;
    char *copy = scan_take(r->arena, length + 1);
    return memcpy(copy, text, length);
}

/* ---- tokens ---- */

static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/* Passes blanks. clang indents: most bytes of a tree are spaces, in runs of eight. */
static bool pass_blanks(json_reader *r) {
    for (;;) {
        char *at = r->at, *end = r->end;
        while (at < end && is_blank(*at)) {
            uint64_t eight;
            for (at++; end - at >= 8; at += 8) {
                memcpy(&eight, at, sizeof eight);
                if (eight != UINT64_C(0x2020202020202020)) break;
            }
            while (at < end && *at == ' ') at++;
        }
        r->at = at;
        if (at < end) return true;
        if (!more(r, &r->at)) return false;
    }
}

/* Passes blanks, if there are any. @return whether more text follows. */
static inline bool skip_blanks(json_reader *r) {
    return (r->at<r->end && * r->at> ' ') || pass_blanks(r);
}

bool json_take(json_reader *r, char wanted) {
    if (!skip_blanks(r) || *r->at != wanted) return false;
    r->at++;
    return true;
}

/* Converts a \u escape to UTF-8. @return the end of its bytes, or NULL. */
static char *unescape_unicode(const char **from, const char *end, char *to) {
    char digits[5] = {0};
    unsigned long code;
    if (end - *from < 4) return NULL;
    for (int i = 0; i < 4; i++)
        if (!isxdigit((unsigned char)(digits[i] = *(*from)++))) return NULL;
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

/* Decodes the escapes of a text in place. @return its end, or NULL. */
static char *unescape(char *begin, const char *end) {
    static const char escapes[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char *to = begin;
    const char *escape;
    for (const char *from = begin; from < end;) {
        if (*from != '\\') {
            *to++ = *from++;
        } else if (from[1] == 'u') {
            from += 2;
            if (!(to = unescape_unicode(&from, end, to))) return NULL;
        } else if (from[1] && (escape = strchr(escapes, from[1]))) {
            *to++ = values[escape - escapes];
            from += 2;
        } else {
            return NULL;
        }
    }
    return to;
}

static bool is_escaped(const char *begin, const char *quote) {
    const char *at = quote;
    while (at > begin && at[-1] == '\\') at--;
    return (quote - at) % 2 != 0;
}

/* Passes a text up to its last quote. @return the text's beginning, after the first quote, or
 * NULL. */
static char *pass_text(json_reader *r) {
    char *begin = r->at;
    for (;;) {
        char *quote = memchr(r->at, '"', (size_t)(r->end - r->at));
        r->at = quote ? quote + 1 : r->end;
        if (quote && !is_escaped(begin, quote)) return begin;
        if (!quote && !more(r, &begin)) return NULL;
    }
}

/* Reads and decodes a text, from the end of its first quote. */
static const char *read_text(json_reader *r, size_t *length) {
    char *begin = pass_text(r), *end = r->at - 1;
    if (!begin) return NULL;
    if (memchr(begin, '\\', (size_t)(end - begin)) && !(end = unescape(begin, end))) return NULL;
    *end = 0;
    *length = (size_t)(end - begin);
    return begin;
}

static bool is_of_plain(char c) {
    return isalnum((unsigned char)c) || c == '+' || c == '-' || c == '.';
}

/* Passes a number, true, false or null. The text must continue after it. */
static char *pass_plain(json_reader *r) {
    char *begin = r->at;
    for (;;) {
        while (r->at < r->end && is_of_plain(*r->at)) r->at++;
        if (r->at < r->end) return r->at == begin ? NULL : begin;
        if (!more(r, &begin)) return NULL;
    }
}

const char *json_string(json_reader *r) {
    size_t length;
    return json_take(r, '"') ? read_text(r, &length) : NULL;
}

bool json_unsigned(json_reader *r, unsigned *number) {
    const char *digits = skip_blanks(r) ? pass_plain(r) : NULL;
    if (digits) *number = (unsigned)strtoul(digits, NULL, 10);
    return digits != NULL;
}

bool json_key(json_reader *r, bool first, const char **key) {
    size_t length;
    *key = NULL;
    if (json_take(r, '}')) return true;
    if (!first && !json_take(r, ',')) return false;
    return json_take(r, '"') && (*key = read_text(r, &length)) != NULL;
}

/* ---- values ---- */

bool json_skip(json_reader *r) {
    int open = 0;
    do {
        if (!skip_blanks(r)) return false;
        const char next = *r->at;
        if (is_of_plain(next)) {
            if (!pass_plain(r)) return false;
            continue;
        }
        r->at++;
        if (next == '{' || next == '[') open++;
        else if (next == '}' || next == ']') open--;
        else if (next == '"' ? !pass_text(r) : !open || !strchr(",:", next)) return false;
    } while (open > 0);
    return open == 0;
}

/* Reads the members of an object, up to its end. */
static bool read_members(json_reader *r, json *into) {
    json **last = &into->first;
    const char *key;
    for (bool first = true; json_key(r, first, &key); first = false) {
        if (!key) return true;
        const int use = r->use ? r->use(key) : JSON_KEEP;
        const char *name = use == JSON_KEEP ? kept(r, key, strlen(key)) : NULL;
        if (!json_take(r, ':')) return false;
        if (use == JSON_KEEP) {
            if (!(*last = json_value(r))) return false;
            (*last)->key = name;
            last = &(*last)->next;
        } else if (use == JSON_SKIP ? !json_skip(r) : !r->other(r, into, use)) {
            return false;
        }
        while (*last) last = &(*last)->next; /* skips what other() has added */
    }
    return false;
}

static bool read_elements(json_reader *r, json *into) {
    json **last = &into->first;
    if (json_take(r, ']')) return true;
    do {
        if (!(*last = json_value(r))) return false;
        last = &(*last)->next;
    } while (json_take(r, ','));
    return json_take(r, ']');
}

static bool read_plain(json_reader *r, json *value) {
    const char *begin = pass_plain(r);
    if (!begin) return false;
    const size_t length = (size_t)(r->at - begin);
    char *copy = scan_take(r->arena, length + 1);
    value->text = memcpy(copy, begin, length);
    value->kind = scan_same(copy, "null") ? JSON_NULL : JSON_PLAIN;
    return true;
}

json *json_value(json_reader *r) {
    json *value = scan_take(r->arena, sizeof *value);
    size_t length;
    bool good;
    if (++r->depth > DEPTH_MAX) return NULL;
    if (json_take(r, '"')) {
        const char *text = read_text(r, &length);
        value->kind = JSON_TEXT;
        good = text && (value->text = kept(r, text, length));
    } else if (json_take(r, '{')) {
        value->kind = JSON_OBJECT;
        good = read_members(r, value);
    } else if (json_take(r, '[')) {
        value->kind = JSON_ARRAY;
        good = read_elements(r, value);
    } else {
        good = read_plain(r, value);
    }
    r->depth--;
    return good ? value : NULL;
}

json *json_only(json_reader *r) {
    json *value = json_value(r);
    return value && !skip_blanks(r) ? value : NULL;
}

json *json_read(scan_arena *arena, char *text, size_t length, size_t *at) {
    json_reader r = {.arena = arena, .at = text, .end = text + length};
    json *value = json_only(&r);
    *at = json_offset(&r, text);
    return value;
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

/* ---- writing ---- */

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
