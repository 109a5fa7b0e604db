#include "scan/front/tree.h"
#include "scan/front/json_reader.h"
#include <stdlib.h>

/* The place of a token's characters. For a token of a macro, `used` is the place where the macro is
 * used. */
typedef struct token_place {
    const char *file;
    unsigned offset, length, used;
    bool in_macro;
} token_place;

typedef struct tree_reader {
    json_reader json; /* must be the first member */
    /* file of the last location: clang writes only the parts that have changed */
    const char *file;
    unsigned line;
    /* first token of the last location; for a macro, the place of its spelling */
    token_place token;
    const char *folder;
    const char *opened; /* file of the last token */
    char *text;         /* contents of that file */
    size_t length;
} tree_reader;

enum { USE_LOCATION = JSON_OTHER, USE_RANGE };

/* How a member is read. Most of a tree are locations. */
static int use_of(const char *key) {
    static const char *const skipped[] = {"valueCategory",   "isUsed",         "isReferenced",
                                          "mangledName",     "computeLHSType", "computeResultType",
                                          "nonOdrUseReason", "canOverflow"};
    if (scan_same(key, "range")) return USE_RANGE;
    if (scan_same(key, "loc")) return USE_LOCATION;
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
        if (scan_same(key, skipped[i])) return JSON_SKIP;
    return JSON_KEEP;
}

static bool read_file(tree_reader *t) {
    const char *name = json_string(&t->json);
    if (name && !(t->file && scan_same(t->file, name))) t->file = scan_name(name);
    return name != NULL;
}

static bool read_location(tree_reader *t, scan_place *place);

/* Reads the value of a location's member. */
static bool read_part(tree_reader *t, const char *key, scan_place *place, bool *is_place) {
    scan_place spelling;
    json_reader *r = &t->json;
    const bool offset = scan_same(key, "offset"), file = scan_same(key, "file");
    token_place token;
    const bool line = scan_same(key, "line"), column = scan_same(key, "col");
    const bool used = scan_same(key, "expansionLoc"), spelled = scan_same(key, "spellingLoc");
    const bool length = scan_same(key, "tokLen");
    if (!json_take(r, ':')) return false; /* after this call the key is not valid any more */
    if (file) return read_file(t);
    if (line) return json_unsigned(r, &t->line);
    if (column) return json_unsigned(r, &place->column);
    if (spelled) return read_location(t, &spelling);
    if (used) {
        token = t->token;
        bool good = read_location(t, place);
        token.used = t->token.offset;
        token.in_macro = true;
        t->token = token;
        return good;
    }
    if (length) return json_unsigned(r, &t->token.length);
    if (!offset) return json_skip(r);
    *is_place = true;
    return json_unsigned(r, &t->token.offset);
}

/* Reads a location. A missing line or file is the same as in the location before. */
static bool read_location(tree_reader *t, scan_place *place) {
    bool is_place = false;
    const char *key;
    *place = (scan_place){0};
    if (!json_take(&t->json, '{')) return false;
    for (bool first = true; json_key(&t->json, first, &key); first = false) {
        if (!key) {
            if (is_place) place->file = t->file, place->line = t->line, t->token.file = t->file;
            return true;
        }
        if (!read_part(t, key, place, &is_place)) return false;
    }
    return false;
}

/* Reads {"begin": ..., "end": ...}, the places of two tokens. */
static bool read_range(tree_reader *t, scan_place *place, token_place *begin, token_place *end) {
    scan_place other;
    const char *key;
    if (!json_take(&t->json, '{')) return false;
    for (bool first = true; json_key(&t->json, first, &key); first = false) {
        if (!key) return true;
        const bool is_begin = scan_same(key, "begin");
        t->token = (token_place){0};
        if (!json_take(&t->json, ':') || !read_location(t, is_begin ? place : &other)) return false;
        *(is_begin ? begin : end) = t->token;
    }
    return false;
}

/* ---- the text of the source, where clang's tree lacks it ---- */

/* @return `length` characters of a file, or NULL. */
static const char *source_text(tree_reader *t, const char *file, size_t from, size_t length) {
    if (!file || !length) return NULL;
    if (!t->opened || !scan_same(t->opened, file)) {
        const char *path = *file == '/' || !t->folder ? file : scan_text("%s/%s", t->folder, file);
        FILE *source = fopen(path, "r");
        free(t->text);
        t->opened = file;
        t->text = source ? scan_read_all(source, &t->length) : NULL;
        if (source) fclose(source);
    }
    if (!t->text || from > t->length || length > t->length - from) return NULL;
    const char *text = scan_text("%.*s", (int)length, t->text + from);
    return strlen(text) == length ? text : NULL;
}

static void add_text(tree_reader *t, json *node, const char *key, const char *text) {
    json **last = &node->first, *made = scan_take(t->json.arena, sizeof *made);
    while (*last) last = &(*last)->next;
    *made = (json){.kind = JSON_TEXT, .key = key, .text = text};
    *last = made;
}

static bool is_constant(const char *token) {
    if (*token == 'L' || *token == 'u' || *token == 'U') token++;
    return *token == '\'' || *token == '.' || (*token >= '0' && *token <= '9');
}

/* Adds the member "token" to a number or a character: its text in the source, unless a macro has
 * joined it. */
static void add_token(tree_reader *t, json *node, const token_place *token) {
    const char *text = source_text(t, token->file, token->offset, token->length);
    if (text && !strchr(text, '\n') && is_constant(text)) add_text(t, node, "token", text);
}

/* Adds the member "array" to a parameter: the length of the array as the source has it, because the
 * type in the tree is that of a pointer. "[?]": the length is in a macro, or is unknown. */
static void add_array(tree_reader *t, json *node, const token_place *begin,
                      const token_place *end) {
    const size_t from = begin->in_macro ? begin->used : begin->offset;
    const char *last = source_text(t, end->file, end->offset, end->length), *text = "[?]";
    if (last && *last != ']' && *last != ')' && *last != ':') return;
    if (last && !end->in_macro && end->offset > from)
        text = source_text(t, end->file, from, end->offset + end->length - from);
    if (!text) text = "[?]";
    if (strpbrk(text, "[:?")) add_text(t, node, "array", text);
}

static bool read_other(json_reader *r, json *node, int use) {
    scan_place name;
    token_place begin = {0}, end = {0};
    tree_reader *t = (tree_reader *)r;
    if (use == USE_LOCATION) return read_location(t, &name);
    if (!read_range(t, &node->place, &begin, &end)) return false;
    if (json_is(node, "kind", "IntegerLiteral") || json_is(node, "kind", "FloatingLiteral") ||
        json_is(node, "kind", "CharacterLiteral"))
        add_token(t, node, &begin);
    if (json_is(node, "kind", "ParmVarDecl")) add_array(t, node, &begin, &end);
    return true;
}

tree tree_read(scan_arena *arena, int from, const char *folder) {
    tree_reader t = {.json = {.use = use_of, .other = read_other}, .folder = folder};
    tree read_to = {0};
    json_begin(&t.json, arena, from);
    read_to.root = json_only(&t.json);
    read_to.at = json_offset(&t.json, NULL);
    read_to.length = json_end(&t.json);
    free(t.text);
    return read_to;
}
