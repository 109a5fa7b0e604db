#include "scan/front/boil.h"
#include "scan/program/kinds.h"
#include <stdlib.h>

typedef struct boiler {
    scan_arena *arena;
    scan_table functions; /* from clang's ids to declarations with bodies at the top of the tree */
    /* from clang's ids of functions to those of their previous declarations */
    scan_table before;
    scan_table kept;  /* from clang's ids to what these declarations are reduced to */
    scan_table named; /* functions that something kept names */
    SCAN_LIST(const json) todo;
} boiler;

static json *add(json *into, json *copy, const char *key) {
    json **last = &into->first;
    while (*last) last = &(*last)->next;
    copy->key = key;
    copy->next = NULL;
    return *last = copy;
}

static json *plain(boiler *b, const char *text) {
    json *value = scan_take(b->arena, sizeof *value);
    value->kind = JSON_TEXT;
    value->text = text;
    return value;
}

static json *container(boiler *b, json_kind kind) {
    json *value = scan_take(b->arena, sizeof *value);
    value->kind = kind;
    return value;
}

static json *copy_plain(boiler *b, const json *from) {
    json *value = scan_take(b->arena, sizeof *value);
    value->kind = from->kind;
    value->text = from->text;
    return value;
}

/* Copies the id, kind, name and place of a declaration that is a member of another node. */
static json *copy_some(boiler *b, const json *from) {
    json *copy = container(b, JSON_OBJECT);
    for (const json *member = from->first; member; member = member->next)
        if (!member->first) add(copy, copy_plain(b, member), member->key);
    return copy;
}

/* Whether a node is ignored: types and comments in the tree, and attributes that change nothing. */
static bool is_ignored(const char *kind) {
    return scan_ends(kind, "Type") || scan_ends(kind, "Comment") ||
           kind_find(KIND_ATTRIBUTE, kind)->use == KIND_IGNORED;
}

/* Keeps a function that something kept names. */
static void note_reference(boiler *b, const json *decl) {
    const char *id = json_text(decl, "id"), *name = json_text(decl, "name");
    json *function = id ? scan_table_get(&b->functions, id) : NULL;
    if (name) *scan_table_at(&b->named, name) = b;
    if (function) id = json_text(function, "id"); /* the id of the declaration with the body */
    if (!function || scan_table_get(&b->kept, id)) return;
    *scan_table_at(&b->kept, id) = function;
    SCAN_ADD(&b->todo, function);
}

/* The struct without a name that a typedef defines: its id, or NULL. Up to clang 21 the type has it
 * as its own, later a flag says so. */
static const char *owned_of(const json *node) {
    const json *inner = json_is(node, "kind", "TypedefDecl") ? json_get(node, "inner") : NULL;
    const json *type = inner ? inner->first : NULL, *owned = json_get(type, "ownedTagDecl");
    if (!owned && json_is(type, "isTagOwned", "true")) owned = json_get(type, "decl");
    if (!json_is(owned, "kind", "RecordDecl") || !json_is(owned, "name", "")) return NULL;
    return json_text(owned, "id");
}

/* The first child of a node. In a list of values that is shorter than its array, the children have
 * another name, and the value of the elements that are left comes first. */
static const json *first_child(const json *node) {
    const json *inner = json_get(node, "inner"), *filled = json_get(node, "array_filler");
    if (inner) return inner->first;
    return filled && filled->first ? filled->first->next : NULL;
}

static json *boil(boiler *b, const json *node, const char *file, bool bodies) {
    json *copy = container(b, JSON_OBJECT), *into = NULL, **last = NULL;
    const char *owned = owned_of(node);
    const scan_place place = node->place;
    for (const json *member = node->first; member; member = member->next) {
        if (member->kind == JSON_ARRAY) continue;
        if (scan_same(member->key, "referencedDecl")) note_reference(b, member);
        add(copy, member->first ? copy_some(b, member) : copy_plain(b, member), member->key);
    }
    if (place.file) {
        char text[32];
        snprintf(text, sizeof text, "%u:%u", place.line, place.column);
        add(copy, plain(b, scan_name(text)), "at");
        if (!file || !scan_same(place.file, file)) add(copy, plain(b, place.file), "file");
        file = place.file;
    }
    if (owned) add(copy, plain(b, owned), "ownedRecord");
    for (const json *child = first_child(node); child; child = child->next) {
        const char *kind = json_text(child, "kind");
        if (child->kind != JSON_OBJECT || (kind && is_ignored(kind))) continue;
        if (!bodies && kind && scan_same(kind, "CompoundStmt")) continue;
        if (!into) last = &(into = add(copy, container(b, JSON_ARRAY), "inner"))->first;
        *last = boil(b, child, file, bodies);
        last = &(*last)->next;
    }
    return copy;
}

static bool has_body(const json *function) {
    const json *inner = json_get(function, "inner");
    for (const json *child = inner ? inner->first : NULL; child; child = child->next)
        if (json_is(child, "kind", "CompoundStmt")) return true;
    return false;
}

static bool is_in(const json *node, const char *file) {
    return node->place.file && scan_same(node->place.file, file);
}

/* Notes a function with its declarations: a body belongs to all of them. */
static void note_function(boiler *b, const json *node, const char *id) {
    const char *before = json_text(node, "previousDecl");
    void *body = has_body(node) ? (void *)node
                 : before       ? scan_table_get(&b->functions, before)
                                : NULL;
    if (before) *scan_table_at(&b->before, id) = (void *)before;
    if (body) *scan_table_at(&b->functions, id) = body;
    for (; has_body(node) && before; before = scan_table_get(&b->before, before))
        *scan_table_at(&b->functions, before) = body;
}

/* Marks the functions to keep, and appends the names at file scope to `names`. */
static void look(boiler *b, const json *top, const char *file, json *names) {
    json **last = &names->first;
    for (const json *node = top; node; node = node->next) {
        const char *id = json_text(node, "id"), *name = json_text(node, "name");
        bool complete_record =
            json_is(node, "kind", "RecordDecl") && !json_get(node, "completeDefinition");
        if (json_is(node, "kind", "FunctionDecl") && id) note_function(b, node, id);
        if (!name || complete_record) continue;
        *last = plain(b, name);
        last = &(*last)->next;
    }
    for (const json *node = top; node; node = node->next)
        if (json_is(node, "kind", "FunctionDecl") && has_body(node) && is_in(node, file))
            note_reference(b, node);
}

/* Whether a node is a constant of <svs/scan.h>. */
static bool is_annotation(const json *node) {
    const json *inner = json_is(node, "kind", "EnumDecl") ? json_get(node, "inner") : NULL;
    const char *name = inner && inner->first ? json_text(inner->first, "name") : NULL;
    return name && scan_starts(name, "svs_scan_");
}

static void keep(boiler *b, const json *node) {
    json *copy = boil(b, node, NULL, true);
    *scan_table_at(&b->kept, json_text(node, "id")) = copy;
}

/* Keeps what the values of variables and annotations name, also in included files: task types do.
 * Then keeps the functions with their bodies. */
static void keep_all(boiler *b, const json *top) {
    for (const json *node = top; node; node = node->next)
        if (json_text(node, "id") &&
            ((json_is(node, "kind", "VarDecl") && json_get(node, "init")) || is_annotation(node)))
            keep(b, node);
    for (size_t i = 0; i < b->todo.count; i++) keep(b, b->todo.at[i]);
}

/* Whether the facts do not contain the declaration: an unused function of a header. */
static bool is_unused(const boiler *b, const json *node) {
    const char *kind = json_text(node, "kind"), *name = json_text(node, "name");
    if (!kind || is_ignored(kind) || json_get(node, "isImplicit")) return true;
    return scan_same(kind, "FunctionDecl") && name && !scan_table_get(&b->named, name);
}

json *boil_facts(scan_arena *arena, json *tree, const char *file) {
    boiler *b = scan_take(arena, sizeof *b);
    json *facts, *names, *decls, **last;
    const json *inner = json_get(tree, "inner"), *top = inner ? inner->first : NULL;
    b->arena = arena;
    facts = container(b, JSON_OBJECT);
    add(facts, plain(b, file), "svs_facts_of");
    names = add(facts, container(b, JSON_ARRAY), "names");
    look(b, top, file, names);
    decls = add(facts, container(b, JSON_ARRAY), "inner");
    keep_all(b, top);
    last = &decls->first;
    for (const json *node = top; node; node = node->next) {
        const char *id = json_text(node, "id");
        json *kept = id ? scan_table_get(&b->kept, id) : NULL;
        if (!kept && is_unused(b, node)) continue;
        if (kept) *scan_table_at(&b->kept, id) = NULL; /* each is in the list once */
        *last = kept ? kept : boil(b, node, NULL, false);
        last = &(*last)->next;
    }
    return facts;
}
