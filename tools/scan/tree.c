#include "tree.h"
#include "json_reader.h"

typedef struct tree_reader {
    json_reader json; /* the first member */
    const char *file; /* of the location before: clang writes what has changed */
    unsigned line;
} tree_reader;

enum { USE_LOCATION = JSON_OTHER, USE_RANGE };

/* Most of a tree are locations. */
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

/* The value of a location's member. */
static bool read_part(tree_reader *t, const char *key, scan_place *place, bool *is_place) {
    scan_place spelling;
    json_reader *r = &t->json;
    const bool offset = scan_same(key, "offset"), file = scan_same(key, "file");
    const bool line = scan_same(key, "line"), column = scan_same(key, "col");
    const bool used = scan_same(key, "expansionLoc"), spelled = scan_same(key, "spellingLoc");
    if (!json_take(r, ':')) return false;
    if (file) return read_file(t);
    if (line) return json_unsigned(r, &t->line);
    if (column) return json_unsigned(r, &place->column);
    if (used) return read_location(t, place);
    if (spelled) return read_location(t, &spelling);
    *is_place = *is_place || offset;
    return json_skip(r);
}

/* A line or a file that is missing is that of the location before. */
static bool read_location(tree_reader *t, scan_place *place) {
    bool is_place = false;
    const char *key;
    *place = (scan_place){0};
    if (!json_take(&t->json, '{')) return false;
    for (bool first = true; json_key(&t->json, first, &key); first = false) {
        if (!key) {
            if (is_place) place->file = t->file, place->line = t->line;
            return true;
        }
        if (!read_part(t, key, place, &is_place)) return false;
    }
    return false;
}

/* {"begin": ..., "end": ...} */
static bool read_range(tree_reader *t, scan_place *begin) {
    scan_place end;
    const char *key;
    if (!json_take(&t->json, '{')) return false;
    for (bool first = true; json_key(&t->json, first, &key); first = false) {
        if (!key) return true;
        const bool is_begin = scan_same(key, "begin");
        if (!json_take(&t->json, ':') || !read_location(t, is_begin ? begin : &end)) return false;
    }
    return false;
}

static bool read_other(json_reader *r, json *node, int use) {
    scan_place name;
    if (use == USE_LOCATION) return read_location((tree_reader *)r, &name);
    return read_range((tree_reader *)r, &node->place);
}

tree tree_read(scan_arena *arena, int from) {
    tree_reader t = {.json = {.use = use_of, .other = read_other}};
    tree read_to = {0};
    json_begin(&t.json, arena, from);
    read_to.root = json_only(&t.json);
    read_to.at = json_offset(&t.json, NULL);
    read_to.length = json_end(&t.json);
    return read_to;
}
