#include "scan/program/ast.h"
#include "scan/program/ast_maker.h"
#include "scan/program/fold.h"
#include "scan/program/kinds.h"
#include "scan/program/shape.h"
#include <ctype.h>
#include <stdlib.h>

#define LENGTH_REFUSAL                                                                             \
    "the length of an array that is read, called for or not seen: write a number, or work it out " \
    "in a variable in front of it"

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

/* Replaces _Bool by bool: clang writes either for one type of a header, depending on the code
 * before it in a file. */
static const char *with_one_bool(const maker *m, const char *text) {
    const char *found = strstr(text, "bool"), *end = found ? found + 4 : NULL;
    if (!found || scan_table_get(&m->unit->types, "bool")) return text;
    bool word = (found == text || !(isalnum((unsigned char)found[-1]) || found[-1] == '_')) &&
                !(isalnum((unsigned char)*end) || *end == '_');
    return scan_text("%.*s%s%s", (int)(found - text), text, word ? "_Bool" : "bool",
                     with_one_bool(m, end));
}

/* Replaces the names that clang 21 and newer have for the types of sizes. */
static const char *with_plain_sizes(const char *text) {
    static const char *const all[][2] = {
        {"__signed_size_t", "long"}, {"__ptrdiff_t", "long"}, {"__size_t", "unsigned long"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const char *at; (at = strstr(text, all[i][0]));)
            text = scan_text("%.*s%s%s", (int)(at - text), text, all[i][1], at + strlen(all[i][0]));
    return text;
}

const char *maker_type_of(const maker *m, const json *type) {
    const char *text = json_text(type, "qualType"), *plain = json_text(type, "desugaredQualType");
    if (plain && text && (strstr(text, "typeof") || !shape_is_spelled(m->unit, text))) text = plain;
    return text ? with_plain_sizes(with_one_bool(m, text)) : "void";
}

const char *maker_type(const maker *m, const json *node) {
    return maker_type_of(m, json_get(node, "type"));
}

bool maker_is_volatile(const json *node) {
    const json *type = json_get(node, "type");
    const char *plain = json_text(type, "desugaredQualType");
    const char *text = plain ? plain : maker_text(type, "qualType", "");
    const char *star = strrchr(text, '*');
    return strstr(star ? star : text, "volatile") != NULL;
}

/* NULL, or what kinds.def does not let pass of a declaration: its storage class, or an attribute.
 */
static const char *refusal_of(const json *node) {
    const char *storage = json_text(node, "tls") ? "tls" : json_text(node, "storageClass");
    const json *inner = json_get(node, "inner");
    if (storage && !kind_is_known(KIND_STORAGE, storage))
        return kind_complaint(KIND_STORAGE, storage);
    for (const json *child = inner ? inner->first : NULL; child; child = child->next) {
        const char *kind = maker_text(child, "kind", "");
        if (scan_ends(kind, "Attr") && !kind_is_known(KIND_ATTRIBUTE, kind))
            return kind_complaint(KIND_ATTRIBUTE, kind);
        if (scan_same(kind, "AsmLabelAttr") && json_is(node, "kind", "VarDecl"))
            return "AsmLabelAttr: use one name for the memory";
    }
    return NULL;
}

/* Is each length of an array in the text a sum or product of numbers and words? Permitted are the
 * words of `known`; if that is NULL, words that are unknown at file scope, the variables of the
 * body. */
static bool lengths_are_plain(const maker *m, const char *text, const scan_table *known) {
    for (const char *open = strchr(text, '['); open; open = strchr(open + 1, '[')) {
        const size_t length = strcspn(open + 1, "]");
        const char *inner = scan_text("%.*s", (int)length, open + 1);
        if (strspn(inner, SCAN_WORD " +*") < length || strstr(inner, "++")) return false;
        for (inner += strspn(inner, " +*"); *inner; inner += strspn(inner, " +*")) {
            const char *word = scan_text("%.*s", (int)strspn(inner, SCAN_WORD), inner);
            const bool found = scan_table_get(known ? known : &m->unit->visible, word) != NULL;
            if (!isdigit((unsigned char)*word) && found == !known) return false;
            inner += strlen(word);
        }
    }
    return true;
}

const char *maker_length_refusal(const maker *m, const char *type) {
    return lengths_are_plain(m, type, NULL) ? NULL : LENGTH_REFUSAL;
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
    decl->refused = refusal_of(node);
    if (!kind_is_known(KIND_DECLARATION, maker_text(node, "kind", "")))
        decl->refused = kind_complaint(KIND_DECLARATION, maker_text(node, "kind", ""));
    if (kind == DECL_LOCAL && !decl->refused) decl->refused = maker_length_refusal(m, decl->type);
    if (id) *scan_table_at(&m->unit->ids, id) = decl;
    return decl;
}

const json *maker_first(const json *node) {
    const json *inner = json_get(node, "inner");
    return inner ? inner->first : NULL;
}

/* ---- declarations of a file ---- */

/* The struct with this name; it is the same for all files that declare it. */
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

/* The first declaration of a field at `node` or after it. A bit-field without a name is none: no
 * initializer has a value for it. */
static const json *next_field(const json *node) {
    while (node && (!json_is(node, "kind", "FieldDecl") ||
                    (json_is(node, "isBitfield", "true") && !json_text(node, "name"))))
        node = node->next;
    return node;
}

static void add_field(maker *m, scan_record *record, const json *node, size_t number) {
    scan_decl *field = maker_declare(m, node, DECL_FIELD), *before;
    if (!field->refused) field->refused = m->refused;
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
    const char *before = m->refused;
    size_t number = 0;
    m->refused = refusal_of(node);
    for (const json *child = maker_first(node); child; child = child->next) {
        const char *kind = maker_text(child, "kind", "");
        if (scan_ends(kind, "Decl") && !kind_is_known(KIND_DECLARATION, kind))
            for (size_t i = 0; i < record->fields.count; i++)
                record->fields.at[i]->refused = kind_complaint(KIND_DECLARATION, kind);
        if (json_is(child, "kind", "RecordDecl")) maker_record(m, child);
        if (json_is(child, "kind", "EnumDecl")) maker_enum(m, child);
        if (next_field(child) == child) add_field(m, record, child, number++);
    }
    m->refused = before;
}

/* Whether another file's struct of the same name may be this one: it has the same fields. */
static bool same_fields(const maker *m, const scan_record *record, const json *node) {
    size_t count = 0;
    for (const json *child = next_field(maker_first(node)); child;
         child = next_field(child->next)) {
        const char *name = maker_text(child, "name", "");
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
        shape_forget(m->unit);
        full = at;
    }
    record = record_named(m, full);
    record->is_union = scan_same(tag, "union");
    if (!name) *scan_table_at(&m->unit->types, full) = (void *)record->name;
    if (json_text(node, "id")) *scan_table_at(&m->unit->records, json_text(node, "id")) = record;
    fill_record(m, record, node);
}

/* The number of a literal. A value of an unsigned type becomes the number with the same bits. */
static int64_t number_of(const char *text) {
    return *text == '-' ? strtoll(text, NULL, 10) : (int64_t)strtoull(text, NULL, 10);
}

void maker_enum(maker *m, const json *node) {
    int64_t value = 0;
    for (const json *child = maker_first(node); child; child = child->next, value++) {
        if (!json_is(child, "kind", "EnumConstantDecl")) continue;
        scan_decl *constant = maker_declare(m, child, DECL_CONSTANT);
        const json *given = maker_first(child);
        while (given && !json_text(given, "value")) given = maker_first(given);
        if (given) value = number_of(json_text(given, "value"));
        constant->value = value;
        if (!scan_starts(constant->name, "svs_scan_")) continue;
        constant->body = SCAN_NEW(ast_node);
        maker_convert_inner(m, child, constant->body);
        SCAN_ADD(&m->program->annotations, constant);
    }
}

/* Adds a typedef. One that gives a struct its only name makes it the name of the struct. */
static void maker_typedef(maker *m, const json *node) {
    const char *name = maker_text(node, "name", ""), *type = maker_type(m, node);
    const char *owned = json_text(node, "ownedRecord");
    scan_record *record = owned ? scan_table_get(&m->unit->records, owned) : NULL;
    if (record) {
        void **named = scan_table_at(&m->program->records, name);
        *scan_table_at(&m->unit->types, record->name) = (void *)scan_name(name);
        if (!*named) *named = record, record->name = scan_name(name);
        *scan_table_at(&m->unit->types, name) = (void *)record->name;
        const char *tagged = scan_text("%s %s", record->is_union ? "union" : "struct", name);
        /* newer versions of clang write the typedef in this form */
        if (!scan_table_get(&m->program->records, tagged))
            *scan_table_at(&m->unit->types, tagged) = (void *)record->name;
        return;
    }
    const char *refused = refusal_of(node);
    const char *shape = refused ? scan_name(scan_text("?%s", refused)) : shape_of(m->unit, type);
    *scan_table_at(&m->unit->types, name) = (void *)shape;
}

/* Records a type that a function declares: otherwise, with the name of another type, it would be
 * taken for that. */
void maker_own_type(maker *m, const json *node) {
    const char *name = maker_text(node, "name", "");
    const char *tag = maker_text(node, "tagUsed", json_is(node, "kind", "EnumDecl") ? "enum" : "");
    const char *full = scan_same(tag, "") ? name : scan_text("%s %s", tag, name);
    const char *before = scan_table_get(&m->unit->types, full), *after;
    if (json_is(node, "kind", "RecordDecl")) maker_record(m, node);
    if (json_is(node, "kind", "EnumDecl")) maker_enum(m, node);
    if (json_is(node, "kind", "TypedefDecl")) maker_typedef(m, node);
    if (!*name) return;
    *scan_table_at(&m->unit->own_types, name) = m->unit;
    after = scan_table_get(&m->unit->types, full);
    if (!after || (before ? scan_same(before, after) : !*tag)) return;
    *scan_table_at(&m->unit->types, full) =
        (void *)scan_name(scan_text("?%s of a function, which has the name of another type", full));
    shape_forget(m->unit);
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

/* Adds a parameter. The first length of its array is not in its type; the program computes that
 * length where the function begins. */
static void add_parameter(maker *m, const json *node, scan_decl *function) {
    static const char *const qualifiers[] = {"static", "const", "volatile", "restrict",
                                             "__restrict"};
    scan_decl *parameter = maker_declare(m, node, DECL_LOCAL);
    const char *array = json_text(node, "array");
    scan_table known = {0};
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
        *scan_table_at(&known, qualifiers[i]) = m;
    for (size_t i = 0; i < function->parameters.count; i++)
        *scan_table_at(&known, function->parameters.at[i]->name) = m;
    if (array && !function->refused &&
        (strpbrk(array, ":?") || !lengths_are_plain(m, array, &known)))
        function->refused = LENGTH_REFUSAL;
    SCAN_ADD(&function->parameters, parameter);
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
            if (json_is(one, "kind", "ParmVarDecl")) add_parameter(m, one, decl);
        decl->unit = m->unit;
        decl->place = maker_place(m, node);
        decl->is_inline = json_is(node, "inline", "true");
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
    if (!kind_is_known(KIND_DECLARATION, kind))
        scan_error(maker_place(m, node), "svs scan does not follow %s",
                   kind_complaint(KIND_DECLARATION, kind));
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
