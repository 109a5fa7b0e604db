#include "scan/program/shape.h"
#include "scan/program/kinds.h"
#include <ctype.h>

typedef struct shaper {
    scan_unit *unit;
    char out[1024];
} shaper;

static void append(shaper *s, const char *text, size_t length) {
    size_t used = strlen(s->out);
    if (used + length < sizeof s->out) {
        memcpy(s->out + used, text, length);
        s->out[used + length] = 0;
    }
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The matching bracket of the one at `text`. */
static const char *matching(const char *text) {
    char open = *text, close = open == '(' ? ')' : ']';
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == open) - (*text == close);
        if (depth == 0) return text;
    }
    return text - 1;
}

static bool is_unnamed(const char *text) {
    return scan_starts(text, "(anonymous") || scan_starts(text, "(unnamed");
}

/* Returns the part " at FILE:LINE:COLUMN", without the bracket: the name of a struct without a
 * tag. */
static const char *place_of(const char *text) {
    const char *close = matching(text), *at = strstr(text, " at ");
    return at && at < close ? scan_text("%.*s", (int)(close - at), at) : " at ?";
}

/* The complaint about one word after `words`, if neither the table of constructs nor the program
 * knows it; else NULL. */
static const char *complaint_of(const shaper *s, const char *words, const char *word) {
    if (scan_same(words, "struct") || scan_same(words, "union") || scan_same(words, "enum"))
        return NULL;
    if (kind_is_known(KIND_TYPE, word) || scan_table_get(&s->unit->types, word)) return NULL;
    return kind_complaint(KIND_TYPE, word);
}

static const char *resolved(const shaper *s, const char *words) {
    const char *typedefed = scan_table_get(&s->unit->types, words);
    if (scan_same(words, "long int")) return "long";
    if (scan_same(words, "short int")) return "short";
    if (typedefed) return typedefed;
    if (scan_starts(words, "enum ")) return "int";
    return strstr(words, " at ") ? "?a struct without a name" : words;
}

/* Reads the words of the innermost type. @return the end of the words. */
static const char *base(shaper *s, const char *text) {
    const char *words = "", *unknown = NULL;
    bool sign = false;
    while (*text && *text != '*' && *text != '[' && (*text != '(' || is_unnamed(text))) {
        const char *begin = text;
        if (*text == '(') {
            words = scan_text("%.*s%s", (int)strcspn(words, " "), words, place_of(text));
            text = matching(text) + 1;
            continue;
        }
        while (is_word(*text)) text++;
        /* part of the qualified name of a struct without a tag */
        if (text == begin || *text == ':') {
            text++;
            continue;
        }
        const char *word = scan_text("%.*s", (int)(text - begin), begin);
        if (!unknown && !kind_is_known(KIND_TYPE, word)) unknown = complaint_of(s, words, word);
        if (scan_same(word, "_Atomic") && *text == '(' && !unknown) {
            const char *close = matching(text);
            const char *of = scan_text("%.*s", (int)(close - text - 1), text + 1);
            append(s, shape_of(s->unit, of), strlen(shape_of(s->unit, of)));
            return close + 1;
        }
        const kind_use use = kind_find(KIND_TYPE, word)->use;
        if (use == KIND_FOLLOWED || use == KIND_IGNORED) continue;
        if (scan_same(word, "signed") || scan_same(word, "unsigned")) {
            sign = true;
            continue;
        }
        words = scan_text("%s%s%s", words, *words ? " " : "", word);
    }
    const char *found = !*words && sign ? "int" : resolved(s, words);
    if (unknown) found = scan_text("?%s", unknown);
    append(s, found, strlen(found));
    return text;
}

static void arrays(shaper *s, const char *text, const char *end) {
    if (text >= end || *text != '[') return;
    const char *close = matching(text);
    arrays(s, close + 1, end);
    append(s, text, (size_t)(close + 1 - text));
}

/* The parameters of a function, between its brackets. */
static void parameters(shaper *s, const char *open, const char *close) {
    append(s, "(", 1);
    for (const char *text = open + 1; text < close;) {
        const char *end = text;
        for (; end < close && *end != ','; end++)
            if (*end == '(' || *end == '[') end = matching(end);
        const char *one = shape_of(s->unit, scan_text("%.*s", (int)(end - text), text));
        if (text > open + 1) append(s, ",", 1);
        append(s, one, strlen(one));
        text = end + 1;
    }
    append(s, ")", 1);
}

/* Reads stars, then the contents of brackets, from the outside in. */
static void declarator(shaper *s, const char *text, const char *end) {
    for (; text < end && (*text == '*' || *text == ' ' || is_word(*text)); text++)
        if (*text == '*') append(s, "*", 1);
    if (text >= end) return;
    if (*text == '[') {
        arrays(s, text, end);
    } else if (*text == '(') {
        const char *close = matching(text);
        if (text[1] != '*') {
            parameters(s, text, close);
            return;
        }
        const char *rest = close + 1;
        if (rest < end && *rest == '(') parameters(s, rest, matching(rest));
        else arrays(s, rest, end);
        declarator(s, text + 1, close);
    }
}

const char *shape_of(scan_unit *unit, const char *type) {
    void **known = scan_table_at(&unit->shapes, type);
    if (*known) return *known;
    shaper s = {unit, ""};
    const char *text = base(&s, type);
    declarator(&s, text, text + strlen(text));
    const char *shape = scan_name(s.out);
    /* shapes of its parameters may have been added in between */
    *scan_table_at(&unit->shapes, type) = (void *)shape;
    return shape;
}

void shape_forget(scan_unit *unit) { unit->shapes = (scan_table){0}; }

bool shape_is_spelled(const scan_unit *unit, const char *type) {
    for (const char *open = strchr(type, '['); open; open = strchr(open + 1, '['))
        if (strspn(open + 1, "0123456789") != strcspn(open + 1, "]")) return false;
    for (size_t length; *type; type += length ? length : 1) {
        if (is_unnamed(type)) return false;
        for (length = 0; is_word(type[length]);) length++;
        if (length && scan_table_get(&unit->own_types, scan_text("%.*s", (int)length, type)))
            return false;
    }
    return true;
}

const char *shape_inner(const char *shape) {
    size_t length = strlen(shape);
    if (!length) return shape;
    if (shape[length - 1] == ']')
        while (length && shape[length - 1] != '[') length--;
    if (length && shape[length - 1] == ')') {
        int depth = 0;
        do {
            length--;
            depth += (shape[length] == ')') - (shape[length] == '(');
        } while (length && depth);
        length++;
    }
    return scan_name(scan_text("%.*s", (int)(length ? length - 1 : 0), shape));
}

const char *shape_element(const char *shape) {
    while (shape_is_array(shape)) shape = shape_inner(shape);
    return shape;
}

scan_record *shape_record(const scan_program *program, const char *shape) {
    return scan_table_get(&program->records, shape);
}
