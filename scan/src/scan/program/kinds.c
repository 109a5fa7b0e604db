#include "scan/program/kinds.h"

static const kind_row rows[] = {
#define NODE(use, kind, kids, names, how) {KIND_NODE, KIND_##use, names, how, kind, kids},
#define ROW(section, use, names, how) {KIND_##section, KIND_##use, names, how, AST_NONE, 0},
#define CAST(...) ROW(CAST, __VA_ARGS__)
#define OPERATOR(...) ROW(OPERATOR, __VA_ARGS__)
#define DECLARATION(...) ROW(DECLARATION, __VA_ARGS__)
#define ATTRIBUTE(...) ROW(ATTRIBUTE, __VA_ARGS__)
#define STORAGE(...) ROW(STORAGE, __VA_ARGS__)
#define TYPE(...) ROW(TYPE, __VA_ARGS__)
#include "scan/program/kinds.def"
};

/* Adds one row for each name of the group. */
static void add_rows(scan_table *found, const kind_row *group) {
    for (const char *name = group->name; *name; name += strspn(name, " ")) {
        kind_row *row = SCAN_NEW(kind_row);
        *row = *group;
        row->name = scan_text("%.*s", (int)strcspn(name, " "), name);
        *scan_table_at(found, row->name) = row;
        name += strlen(row->name);
    }
}

const kind_row *kind_find(kind_section section, const char *name) {
    static const kind_row unknown = {.use = KIND_UNKNOWN, .how = "", .kind = AST_UNKNOWN};
    static scan_table found[KIND_TYPE + 1];
    if (!found[KIND_NODE].count)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            add_rows(&found[rows[i].section], &rows[i]);
    const kind_row *row = scan_table_get(&found[section], name);
    return row ? row : &unknown;
}

const char *kind_complaint(kind_section section, const char *name) {
    const kind_row *row = kind_find(section, name);
    return scan_name(row->use == KIND_REFUSED ? scan_text("%s: %s", name, row->how) : name);
}
