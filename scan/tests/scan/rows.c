/* The table of constructs, of which the environment changes a row: SVS_ROW=SECTION,NAME. What it
 * let pass is not known then, and what it refused passes. With SVS_ROWS=FILE, the rows that are
 * looked up are written there. */
#define kind_find kind_in_table
#include "scan/program/kinds.c"
#undef kind_find
#include <stdlib.h>

static void write_row(const kind_row *row) {
    const char *path = getenv("SVS_ROWS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%d,%s\n", row->section, row->name);
    fclose(file);
}

static bool is_changed(const kind_row *row) {
    const char *changed = getenv("SVS_ROW");
    return changed && scan_same(changed, scan_text("%d,%s", row->section, row->name));
}

const kind_row *kind_find(kind_section section, const char *name) {
    static kind_row other;
    static scan_table written;
    const kind_row *row = kind_in_table(section, name);
    if (row->use == KIND_UNKNOWN) return row;
    void **slot = scan_table_at(&written, scan_text("%d %s", section, name));
    if (!*slot) write_row(row);
    *slot = &other;
    if (!is_changed(row)) return row;
    if (row->use != KIND_REFUSED) return kind_in_table(section, "no such construct");
    other = *row;
    other.use = section == KIND_ATTRIBUTE ? KIND_IGNORED : KIND_KEPT;
    if (section == KIND_NODE) other.kind = AST_NONE;
    return &other;
}
