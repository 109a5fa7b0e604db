#include "scan/program/kinds.h"

static const kind_row rows[] = {
#define ROW(section, name, use, how, kind, kids)                                                   \
    {KIND_##section, KIND_##use, name, how, kind, kids},
#define NODE(name, use, kind, kids, how) ROW(NODE, #name, use, how, kind, kids)
#define CAST(name, use, how) ROW(CAST, #name, use, how, AST_CAST, 1)
#define OPERATOR(name, use, how) ROW(OPERATOR, #name, use, how, AST_UNARY, 1)
#define DECLARATION(name, use, how) ROW(DECLARATION, #name, use, how, AST_DECLARE, 0)
#define ATTRIBUTE(name, use, how) ROW(ATTRIBUTE, #name, use, how, AST_NONE, 0)
#define STORAGE(name, use, how) ROW(STORAGE, #name, use, how, AST_NONE, 0)
#define TYPE(name, use, how) ROW(TYPE, #name, use, how, AST_NONE, 0)
#include "scan/program/kinds.def"
};

const kind_row *kind_find(kind_section section, const char *name) {
    static const kind_row unknown = {.use = KIND_UNKNOWN, .how = "", .kind = AST_UNKNOWN};
    static scan_table found[KIND_TYPE + 1];
    if (!found[KIND_NODE].count)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            *scan_table_at(&found[rows[i].section], rows[i].name) = (void *)&rows[i];
    const kind_row *row = scan_table_get(&found[section], scan_same(name, ",") ? "COMMA" : name);
    return row ? row : &unknown;
}

const char *kind_complaint(kind_section section, const char *name) {
    const kind_row *row = kind_find(section, name);
    return scan_name(row->use == KIND_REFUSED ? scan_text("%s: %s", name, row->how) : name);
}
