#include "scan/points/walk.h"

static const char *key_of(const void *pointer, char *text) {
    snprintf(text, 32, "%p", pointer);
    return text;
}

static scan_record *record_of(const walker *w, const char *shape) {
    return shape_record(w->m->program, shape_element(shape));
}

/* ---- roots and fields ---- */

memory_root *walk_root(walker *w, root_kind kind, const char *name, scan_place place) {
    memory_root *root = SCAN_NEW(memory_root);
    *root = (memory_root){kind, name, place, points_site(w->m->points), NULL};
    while (w->m->by_site.count < root->site) SCAN_ADD(&w->m->by_site, NULL);
    SCAN_ADD(&w->m->by_site, root);
    return root;
}

/* The number of a field; all members of a union have the same number. */
static points_id number_of(walker *w, const scan_decl *field) {
    char key[32];
    if (field->of && field->of->is_union && field->of->fields.count)
        field = field->of->fields.at[0];
    void **slot = scan_table_at(&w->m->field_numbers, key_of(field, key));
    if (!*slot) {
        SCAN_ADD(&w->m->fields, field);
        *slot = (void *)(uintptr_t)w->m->fields.count;
    }
    return (points_id)(uintptr_t)*slot;
}

static points_id last_of(walker *w, const memory_path *path) {
    return path->length ? number_of(w, path->fields[path->length - 1]) : 0;
}

points_id walk_site(walker *w, const scan_decl *decl) {
    char key[32];
    bool local = decl->kind == DECL_LOCAL;
    void **slot = scan_table_at(local ? &w->context->sites : &w->globals, key_of(decl, key));
    if (!*slot) {
        root_kind kind = !local ? ROOT_GLOBAL : w->context->task ? ROOT_OWN : ROOT_LOCAL;
        memory_root *root = walk_root(w, kind, decl->name, decl->place);
        root->decl = decl;
        *slot = root;
    }
    return ((memory_root *)*slot)->site;
}

points_id walk_stable(walker *w) {
    const scan_program *program = w->m->program;
    if (w->stable) return w->stable;
    points_id site = walk_root(w, ROOT_OWN, "SVS_STABLE", (scan_place){NULL, 0, 0})->site;
    w->stable = walk_pointer_to(w, site);
    for (size_t i = 0; i < program->record_list.count; i++) {
        const scan_record *record = program->record_list.at[i];
        for (size_t k = 0; k < record->fields.count; k++) {
            const scan_decl *field = record->fields.at[k];
            if (!field->part) continue;
            points_id content = points_content(w->m->points, site, number_of(w, field));
            points_assign(w->m->points, content, w->stable);
        }
    }
    return w->stable;
}

points_id walk_outside(walker *w) { return walk_pointer_to(w, w->m->outside->site); }

points_id walk_pointer_to(walker *w, points_id site) {
    points_id pointer = points_variable(w->m->points);
    points_malloc(w->m->points, pointer, site);
    return pointer;
}

points_id walk_union(walker *w, points_id a, points_id b) {
    points_id both;
    if (!a || !b || a == b) return a ? a : b;
    both = points_variable(w->m->points);
    points_assign(w->m->points, both, a);
    points_assign(w->m->points, both, b);
    return both;
}

/* ---- places ---- */

walk_place walk_deref(points_id pointer, const char *shape) {
    return (walk_place){.pointer = pointer, .shape = shape};
}

static points_id base_of(walker *w, const walk_place *place) {
    return place->site ? walk_pointer_to(w, place->site) : place->pointer;
}

points_id walk_address(walker *w, const walk_place *place) {
    points_id base = base_of(w, place), made;
    if (!base || !place->path.length) return base;
    if (record_of(w, place->path.fields[place->path.length - 1]->shape)) return base;
    made = points_variable(w->m->points);
    points_field(w->m->points, made, last_of(w, &place->path), base);
    return made;
}

/* The value in a place; for a struct, a pointer to its place. */
points_id walk_load(walker *w, const walk_place *place) {
    points_id value;
    if (record_of(w, place->shape)) return base_of(w, place);
    if (!shape_is_pointer(place->shape)) return 0;
    if (place->site) return points_content(w->m->points, place->site, last_of(w, &place->path));
    if (!place->pointer) return 0;
    value = points_variable(w->m->points);
    points_load(w->m->points, value, last_of(w, &place->path), place->pointer);
    return value;
}

static void store_field(walker *w, const walk_place *to, points_id field, points_id value) {
    if (to->site) points_assign(w->m->points, points_content(w->m->points, to->site, field), value);
    else if (to->pointer) points_store(w->m->points, to->pointer, field, value);
}

/* Copies the contents of a struct with all structs inside: a field has the same number in each
 * struct. */
static void copy_record(walker *w, const walk_place *to, points_id from, const scan_record *record,
                        int depth) {
    for (size_t i = 0; i < record->fields.count && depth < MEMORY_PATH; i++) {
        const scan_decl *field = record->fields.at[i];
        const scan_record *inner = record_of(w, field->shape);
        if (inner) copy_record(w, to, from, inner, depth + 1);
        if (!shape_is_pointer(shape_element(field->shape))) continue;
        points_id value = points_variable(w->m->points), number = number_of(w, field);
        points_load(w->m->points, value, number, from);
        store_field(w, to, number, value);
    }
}

void walk_store(walker *w, const walk_place *to, points_id value) {
    const scan_record *record = record_of(w, to->shape);
    if (!value) return;
    if (record) copy_record(w, to, value, record, 0);
    else if (shape_is_pointer(shape_element(to->shape)))
        store_field(w, to, last_of(w, &to->path), value);
}

static void add_access(memory_accesses *to, const walk_place *place, bool write,
                       const ast_node *at) {
    memory_access *access = SCAN_NEW(memory_access);
    *access = (memory_access){.place = at->place,
                              .node = at,
                              .text = memory_text(at),
                              .write = write,
                              .site = place->site,
                              .pointer = place->pointer,
                              .path = place->path,
                              .shape = place->shape};
    SCAN_ADD(to, access);
}

void walk_access(walker *w, const walk_place *place, bool write, const ast_node *at) {
    if (!w->context->accesses) return;
    if (place->site) {
        root_kind kind = memory_root_of(w->m, place->site)->kind;
        if (kind == ROOT_OWN || kind == ROOT_TEXT) return;
    }
    for (size_t i = 0; i < place->path.length; i++)
        if (place->path.fields[i]->of && place->path.fields[i]->of->per_worker) return;
    add_access(w->context->accesses, place, write, at);
}

void walk_name(walker *w, const walk_place *place, bool write, const ast_node *at) {
    add_access(w->context->named, place, write, at);
}

static walk_place member_of(walker *w, const ast_node *node) {
    walk_place place;
    if (node->arrow) place = walk_deref(walk_value(w, node->kids.at[0]), node->shape);
    else place = walk_lvalue(w, node->kids.at[0]);
    place.shape = node->shape;
    if (!node->decl) return walk_deref(walk_outside(w), node->shape);
    /* drops the outermost field, which points.h does not need */
    if (place.path.length == MEMORY_PATH) {
        place.path.length--;
        for (size_t i = 0; i < place.path.length; i++)
            place.path.fields[i] = place.path.fields[i + 1];
    }
    place.path.fields[place.path.length++] = node->decl;
    return place;
}

static walk_place own_place(walker *w, const ast_node *node) {
    char key[32];
    void **slot = scan_table_at(&w->context->sites, key_of(node, key));
    if (!*slot)
        *slot = walk_root(w, w->context->task ? ROOT_OWN : ROOT_LOCAL, "a value", node->place);
    walk_place place = {.site = ((memory_root *)*slot)->site, .shape = node->shape};
    return place;
}

walk_place walk_lvalue(walker *w, const ast_node *node) {
    walk_place place = {.shape = node->shape};
    switch (node->kind) {
    case AST_NAME:
        if (!node->decl) place.pointer = walk_outside(w);
        else if (node->decl->kind == DECL_LOCAL || node->decl->kind == DECL_GLOBAL)
            place.site = walk_site(w, node->decl);
        return place;
    case AST_MEMBER: return member_of(w, node);
    case AST_INDEX:
        if (node->kids.at[0]->kind == AST_DECAY)
            place = walk_lvalue(w, node->kids.at[0]->kids.at[0]);
        else place.pointer = walk_value(w, node->kids.at[0]);
        (void)walk_value(w, node->kids.at[1]);
        place.shape = node->shape;
        return place;
    case AST_UNARY:
        if (!scan_same(node->text, "*")) break;
        place.pointer = walk_value(w, node->kids.at[0]);
        return place;
    case AST_CAST: place = walk_lvalue(w, node->kids.at[0]); break;
    case AST_LITERAL:
        place.site = walk_root(w, ROOT_TEXT, node->text, node->place)->site;
        return place;
    case AST_LIST:
    case AST_COMPOUND_LITERAL:
        place = own_place(w, node);
        for (size_t i = 0; i < node->kids.count && node->kind != AST_LIST; i++) {
            points_id value = node->kids.at[i]->kind == AST_LIST
                                  ? (walk_store_list(w, &place, node->kids.at[i]), 0)
                                  : walk_value(w, node->kids.at[i]);
            walk_store(w, &place, value);
        }
        if (node->kind == AST_LIST) walk_store_list(w, &place, node);
        return place;
    default: place.pointer = walk_value(w, node); return place;
    }
    place.shape = node->shape;
    return place;
}

void walk_store_list(walker *w, const walk_place *to, const ast_node *list) {
    const scan_record *record = shape_record(w->m->program, list->shape);
    for (size_t i = 0; i < list->kids.count; i++) {
        const ast_node *kid = list->kids.at[i];
        walk_place place = *to;
        place.shape = kid->shape;
        if (record && i < record->fields.count) {
            place.shape = record->fields.at[i]->shape;
            if (place.path.length < MEMORY_PATH)
                place.path.fields[place.path.length++] = record->fields.at[i];
        }
        if (kid->kind == AST_LIST) walk_store_list(w, &place, kid);
        else walk_store(w, &place, walk_value(w, kid));
    }
}
