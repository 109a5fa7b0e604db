#include "shape.h"
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

static bool is_one_of(const char *word, size_t length, const char *const *list) {
    for (; *list; list++)
        if (strlen(*list) == length && strncmp(*list, word, length) == 0) return true;
    return false;
}

static const char *const qualifiers[] = {"const",      "volatile", "restrict", "_Atomic",
                                         "__restrict", "_Nonnull", "register", "static",
                                         "__const",    NULL};
static const char *const signs[] = {"unsigned", "signed", NULL};

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

/* The words of the innermost type. @return behind them. */
static const char *base(shaper *s, const char *text) {
    char words[512] = "";
    size_t used = 0;
    bool sign = false;
    while (*text && *text != '*' && *text != '[' && (*text != '(' || is_unnamed(text))) {
        const char *begin = text;
        if (*text == '(') {
            text = matching(text) + 1;
        } else if (!is_word(*text)) {
            text++;
            continue;
        } else {
            while (is_word(*text) || (text[0] == ':' && text[1] == ':')) text++;
        }
        size_t length = (size_t)(text - begin);
        if (is_one_of(begin, length, qualifiers)) continue;
        if (is_one_of(begin, length, signs)) {
            sign = true;
            continue;
        }
        if (used + length + 2 > sizeof words) break;
        if (used) words[used++] = ' ';
        memcpy(words + used, begin, length);
        words[used += length] = 0;
    }
    if (!used && sign) memcpy(words, "int", 4);
    if (scan_same(words, "long int")) memcpy(words, "long", 5);
    if (scan_same(words, "short int")) memcpy(words, "short", 6);
    if (scan_starts(words, "enum ")) memcpy(words, "int", 4);
    const char *typedefed = scan_table_get(&s->unit->types, words);
    append(s, typedefed ? typedefed : words, strlen(typedefed ? typedefed : words));
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

/* Stars, then what stands in brackets, from the outside in. */
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
    shaper s = {unit, ""};
    const char *text = base(&s, type);
    declarator(&s, text, text + strlen(text));
    return scan_name(s.out);
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

scan_record *shape_record(const scan_program *program, const char *shape) {
    return scan_table_get(&program->records, shape);
}
