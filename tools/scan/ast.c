#include "ast.h"
#include "ast_maker.h"
#include "fold.h"
#include "shape.h"
#include <ctype.h>
#include <stdlib.h>

scan_program *ast_program(void) { return SCAN_NEW(scan_program); }

const char *maker_text(const json *node, const char *key, const char *otherwise) {
    const char *text = json_text(node, key);
    return text ? text : otherwise;
}

scan_place maker_place(maker *m, const json *node) {
    const char *at = json_text(node, "at"), *file = json_text(node, "file"), *colon;
    scan_place place = {m->file, 0, 0};
    if (file) place.file = scan_name(file);
    if (at && (colon = strchr(at, ':'))) {
        place.line = (unsigned)strtoul(at, NULL, 10);
        place.column = (unsigned)strtoul(colon + 1, NULL, 10);
    }
    return place;
}

/* clang writes bool or _Bool for one type of one header, by what stands in front of that in a file.
 */
static const char *with_one_bool(const maker *m, const char *text) {
    const char *found = strstr(text, "bool"), *end = found ? found + 4 : NULL;
    if (!found || scan_table_get(&m->unit->types, "bool")) return text;
    bool word = (found == text || !(isalnum((unsigned char)found[-1]) || found[-1] == '_')) &&
                !(isalnum((unsigned char)*end) || *end == '_');
    return scan_text("%.*s%s%s", (int)(found - text), text, word ? "_Bool" : "bool",
                     with_one_bool(m, end));
}

const char *maker_type(const maker *m, const json *node) {
    const json *type = json_get(node, "type");
    const char *text = json_text(type, "qualType"), *plain = json_text(type, "desugaredQualType");
    if (plain && text && strstr(text, "typeof")) text = plain;
    return text ? with_one_bool(m, text) : "void";
}

scan_decl *maker_declare(maker *m, const json *node, decl_kind kind) {
    scan_decl *decl = SCAN_NEW(scan_decl);
    const char *id = json_text(node, "id");
    decl->kind = kind;
    decl->name = scan_name(maker_text(node, "name", ""));
    decl->type = scan_name(maker_type(m, node));
    decl->shape = shape_of(m->unit, decl->type);
    decl->place = maker_place(m, node);
    decl->unit = m->unit;
    decl->is_static = json_is(node, "storageClass", "static");
    if (id) *scan_table_at(&m->unit->ids, id) = decl;
    return decl;
}

const json *maker_first(const json *node) {
    const json *inner = json_get(node, "inner");
    return inner ? inner->first : NULL;
}

/* ---- declarations of a file ---- */

/* One struct for all files that declare it. */
static scan_record *record_named(maker *m, const char *name) {
    void **slot = scan_table_at(&m->program->records, name);
    if (!*slot) {
        scan_record *record = SCAN_NEW(scan_record);
        record->name = scan_name(name);
        SCAN_ADD(&m->program->record_list, record);
        *slot = record;
    }
    return *slot;
}

static scan_decl *field_named(const scan_record *record, const char *name) {
    for (size_t i = 0; i < record->fields.count; i++)
        if (record->fields.at[i]->name == name) return record->fields.at[i];
    return NULL;
}

static void add_field(maker *m, scan_record *record, const json *node, size_t number) {
    scan_decl *field = maker_declare(m, node, DECL_FIELD), *before;
    if (m->unnamed && (strstr(field->type, "(anonymous") || strstr(field->type, "(unnamed"))) {
        const char *type = strrchr(field->shape, ')');
        const char *suffix = type ? strpbrk(type, "*[") : NULL;
        field->shape = scan_name(scan_text("%s%s", m->unnamed->name, suffix ? suffix : ""));
    }
    if (!*field->name) field->name = scan_name(scan_text("#%zu", number));
    before = field_named(record, field->name);
    if (!before) {
        field->of = record;
        field->bits = json_is(node, "isBitfield", "true");
        SCAN_ADD(&record->fields, field);
        return;
    }
    *scan_table_at(&m->unit->ids, maker_text(node, "id", "")) = before;
}

static void fill_record(maker *m, scan_record *record, const json *node) {
    size_t number = 0;
    for (const json *child = maker_first(node); child; child = child->next) {
        if (json_is(child, "kind", "RecordDecl")) maker_record(m, child);
        if (json_is(child, "kind", "EnumDecl")) maker_enum(m, child);
        if (json_is(child, "kind", "FieldDecl")) add_field(m, record, child, number++);
    }
}

/* Whether another file's struct of the same name may be this one: it has the same fields. */
static bool same_fields(const maker *m, const scan_record *record, const json *node) {
    size_t count = 0;
    for (const json *child = maker_first(node); child; child = child->next) {
        const char *name = maker_text(child, "name", "");
        if (!json_is(child, "kind", "FieldDecl")) continue;
        if (count == record->fields.count) return false;
        const scan_decl *field = record->fields.at[count++];
        if (*name && !scan_same(field->name, name)) return false;
        if (!scan_same(field->type, maker_type(m, child))) return false;
    }
    return count == record->fields.count;
}

void maker_record(maker *m, const json *node) {
    const char *name = json_text(node, "name"), *tag = maker_text(node, "tagUsed", "struct");
    scan_place place = maker_place(m, node);
    const char *at = scan_text("%s at %s:%u:%u", tag, place.file, place.line, place.column);
    const char *full = name ? scan_text("%s %s", tag, name) : at;
    scan_record *record = scan_table_get(&m->program->records, full);
    if (!json_get(node, "completeDefinition")) return;
    if (name && record && record->fields.count && !same_fields(m, record, node)) {
        *scan_table_at(&m->unit->types, full) = (void *)scan_name(at);
        full = at;
    }
    record = record_named(m, full);
    record->is_union = scan_same(tag, "union");
    if (json_text(node, "id")) *scan_table_at(&m->unit->records, json_text(node, "id")) = record;
    fill_record(m, record, node);
    m->unnamed = name ? m->unnamed : record;
}

void maker_enum(maker *m, const json *node) {
    long value = 0;
    for (const json *child = maker_first(node); child; child = child->next, value++) {
        if (!json_is(child, "kind", "EnumConstantDecl")) continue;
        scan_decl *constant = maker_declare(m, child, DECL_CONSTANT);
        const json *given = maker_first(child);
        while (given && !json_text(given, "value")) given = maker_first(given);
        if (given) value = strtol(json_text(given, "value"), NULL, 10);
        constant->value = value;
        if (!scan_starts(constant->name, "svs_scan_")) continue;
        constant->body = SCAN_NEW(ast_node);
        maker_convert_inner(m, child, constant->body);
        SCAN_ADD(&m->program->annotations, constant);
    }
}

/* A typedef that gives a struct its only name makes it the struct's. */
void maker_typedef(maker *m, const json *node) {
    const char *name = maker_text(node, "name", ""), *type = maker_type(m, node);
    const char *owned = json_text(node, "ownedRecord");
    scan_record *record = owned ? scan_table_get(&m->unit->records, owned) : NULL;
    void **slot = scan_table_at(&m->unit->types, name);
    if (record) {
        void **named = scan_table_at(&m->program->records, name);
        if (!*named) *named = record, record->name = scan_name(name);
        *slot = (void *)record->name;
        const char *tagged = scan_text("%s %s", record->is_union ? "union" : "struct", name);
        if (!scan_table_get(&m->program->records, tagged)) /* newer clangs desugar it to this */
            *scan_table_at(&m->unit->types, tagged) = (void *)record->name;
        return;
    }
    *slot = (void *)(scan_starts(type, "enum ") ? "int" : shape_of(m->unit, type));
}

scan_decl *maker_global(maker *m, const json *node, bool inner) {
    const char *name = maker_text(node, "name", "");
    bool own = json_is(node, "storageClass", "static");
    const char *key =
        own ? scan_text("%s@%s@%s", name, m->unit->file, inner ? maker_text(node, "id", "") : "")
            : name;
    scan_decl *decl = maker_declare(m, node, DECL_GLOBAL);
    void **slot = scan_table_at(&m->program->globals, key);
    decl->inner = inner;
    if (!*slot) *slot = decl;
    *scan_table_at(&m->unit->ids, maker_text(node, "id", "")) = *slot;
    decl = *slot;
    if (!decl->body && maker_first(node)) {
        ast_node *value = SCAN_NEW(ast_node);
        maker_convert_inner(m, node, value);
        decl->body = value;
        decl->place = maker_place(m, node);
    }
    return decl;
}

static void add_function(maker *m, const json *node) {
    const char *name = maker_text(node, "name", "");
    const char *key = json_is(node, "storageClass", "static")
                          ? scan_text("%s@%s@()", name, m->unit->file)
                          : scan_text("%s@()", name);
    scan_decl *decl = maker_declare(m, node, DECL_FUNCTION);
    void **slot = scan_table_at(&m->program->globals, key);
    if (!*slot && json_get(node, "previousDecl")) {
        scan_decl *before = scan_table_get(&m->unit->ids, maker_text(node, "previousDecl", ""));
        if (before && before->kind == DECL_FUNCTION) *slot = before;
    }
    if (!*slot) *slot = decl;
    decl = *slot;
    *scan_table_at(&m->unit->ids, maker_text(node, "id", "")) = decl;
    const char *before = m->file, *file = json_text(node, "file");
    if (file) m->file = scan_name(file);
    bool fresh = !decl->body;
    for (const json *child = maker_first(node); child && fresh; child = child->next) {
        if (json_is(child, "kind", "ParmVarDecl") && !decl->body) continue;
        if (!json_is(child, "kind", "CompoundStmt")) continue;
        decl->parameters.count = 0;
        for (const json *one = maker_first(node); one; one = one->next)
            if (json_is(one, "kind", "ParmVarDecl"))
                SCAN_ADD(&decl->parameters, maker_declare(m, one, DECL_LOCAL));
        decl->unit = m->unit;
        decl->place = maker_place(m, node);
        decl->body = maker_convert(m, child);
        fold_body(decl->body);
        SCAN_ADD(&m->program->functions, decl);
        break;
    }
    m->file = before;
}

static void add_declaration(maker *m, const json *node) {
    const char *kind = maker_text(node, "kind", ""), *file = json_text(node, "file");
    if (file) m->file = scan_name(file);
    if (scan_same(kind, "RecordDecl")) maker_record(m, node);
    if (scan_same(kind, "EnumDecl")) maker_enum(m, node);
    if (scan_same(kind, "TypedefDecl")) maker_typedef(m, node);
    if (scan_same(kind, "VarDecl")) maker_global(m, node, false);
    if (scan_same(kind, "FunctionDecl")) add_function(m, node);
}

void ast_add(scan_program *program, const json *facts) {
    scan_unit *unit = SCAN_NEW(scan_unit);
    maker m = {.program = program, .unit = unit};
    const json *names = json_get(facts, "names");
    unit->file = scan_name(maker_text(facts, "svs_facts_of", "?"));
    SCAN_ADD(&program->units, unit);
    for (const json *name = names ? names->first : NULL; name; name = name->next)
        *scan_table_at(&unit->visible, name->text ? name->text : "") = unit;
    for (const json *node = maker_first(facts); node; node = node->next) add_declaration(&m, node);
}
