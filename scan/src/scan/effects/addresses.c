#include "scan/effects/effects.h"
#include "scan/program/calls.h"

bool address_is_local(const ast_node *lvalue) {
    if (lvalue->kind == AST_NAME) return lvalue->decl && lvalue->decl->kind == DECL_LOCAL;
    if (lvalue->kind == AST_MEMBER) return !lvalue->arrow && address_is_local(lvalue->kids.at[0]);
    if (lvalue->kind == AST_INDEX || lvalue->kind == AST_DECAY)
        return lvalue->kids.at[0]->kind == AST_DECAY
                   ? address_is_local(lvalue->kids.at[0]->kids.at[0])
                   : lvalue->kind == AST_DECAY && address_is_local(lvalue->kids.at[0]);
    return lvalue->kind == AST_COMPOUND_LITERAL;
}

/* Marks a variable or field whose address goes further than one access. */
static void mark_addressed(const ast_node *lvalue) {
    if (lvalue->kind == AST_NAME || lvalue->kind == AST_MEMBER) {
        if (lvalue->decl) lvalue->decl->addressed = true;
        if (lvalue->kind == AST_MEMBER && !lvalue->arrow && address_is_local(lvalue))
            mark_addressed(lvalue->kids.at[0]);
    } else if (lvalue->kind == AST_INDEX && lvalue->kids.at[0]->kind == AST_DECAY) {
        mark_addressed(lvalue->kids.at[0]->kids.at[0]);
    }
}

/* ---- what a void * becomes ---- */

/* Does a call make memory, or return a pointer from a function without a known body? */
static bool makes_memory(const scan_program *program, const ast_node *call) {
    const call_targets targets = call_targets_of(program, call->kids.at[0]);
    return targets.known && targets.known->result == 'f';
}
static bool returns_unseen(const scan_program *program, const ast_node *call) {
    const call_targets targets = call_targets_of(program, call->kids.at[0]);
    return shape_is_pointer(call->shape) && !targets.known && !targets.functions.count &&
           targets.name && !scan_starts(targets.name, "svs_") &&
           !scan_starts(targets.name, "__builtin_");
}

/* Notes the types that a void * leads to. The type "void" stands for all types: a pointer is set by
 * another name. */
static void walk_voids(scan_program *program, const ast_node *node) {
    const ast_node *kid = node->kids.count ? node->kids.at[0] : NULL;
    const char *leads_to = NULL;
    if (node->kind == AST_CAST && kid && shape_is_pointer(node->shape) &&
        node->shape != kid->shape) {
        if (scan_same(kid->shape, "void*") &&
            !(kid->kind == AST_CALL && makes_memory(program, kid)))
            leads_to = shape_element(shape_inner(node->shape));
        if (scan_starts(kid->shape, "void**") || scan_starts(node->shape, "void**"))
            leads_to = "void";
    }
    if (node->kind == AST_CALL && kid && returns_unseen(program, node)) leads_to = "void";
    if (leads_to) *scan_table_at(&program->from_void, leads_to) = program;
    for (size_t i = 0; i < node->kids.count; i++) walk_voids(program, node->kids.at[i]);
}

static bool has_void(const scan_program *program, const char *shape) {
    const scan_record *record = shape_record(program, shape_element(shape));
    for (size_t i = 0; record && i < record->fields.count; i++)
        if (has_void(program, record->fields.at[i]->shape)) return true;
    return scan_same(shape_element(shape), "void*");
}

/* Notes what a union with a void * member lets the void * lead to: whatever the union's other
 * pointers lead to. */
static void note_union(scan_program *program, const scan_record *record) {
    const bool is_noted = record->is_union && has_void(program, record->name);
    for (size_t i = 0; is_noted && i < record->fields.count; i++) {
        const char *shape = shape_element(record->fields.at[i]->shape), *leads_to = NULL;
        if (shape_record(program, shape)) leads_to = "void";
        else if (!scan_same(shape, "void*") && shape_is_pointer(shape))
            leads_to = shape_element(shape_inner(shape));
        if (leads_to) *scan_table_at(&program->from_void, leads_to) = program;
    }
}

/* Marks the first members of a struct: a pointer to the struct that becomes a void * may become one
 * to its first member. */
static void mark_first(const scan_program *program, const char *shape) {
    const scan_record *record = shape_record(program, shape);
    if (!record || !record->fields.count || record->header) return;
    scan_decl *first = record->fields.at[0];
    if (scan_table_get(&program->from_void, shape_element(first->shape)) ||
        scan_table_get(&program->from_void, "void")) {
        if (shape_is_array(first->shape))
            first->addressed = true; /* elements of the array have other names than the array */
        first->leading = true;
    }
    mark_first(program, first->shape);
}

/* Marks a struct variable if only a part of it is set, or passed to the library. */
static void mark_in_part(const ast_node *lvalue) {
    const ast_node *root = lvalue;
    while (address_is_local(root) && root->kind != AST_NAME && root->kids.count)
        root = root->kids.at[0];
    if (root != lvalue && root->kind == AST_NAME && root->decl) root->decl->addressed = true;
}

static bool is_address(const ast_node *node) {
    return node->kind == AST_DECAY || (node->kind == AST_UNARY && scan_same(node->text, "&"));
}

/* Whether child number `i` is an address that only one access uses, or that the library takes. */
static bool is_direct(const ast_node *node, size_t i) {
    if (i == 0 && node->kind == AST_INDEX && node->kids.at[0]->kind == AST_DECAY) return true;
    if (node->kind == AST_CAST && !node->written && scan_same(node->text, "BitCast")) return false;
    return node->kind == AST_SIZE || node->kind == AST_OFFSET;
}

static void walk_addresses(scan_program *program, const ast_node *node);

/* Whether only the library uses an argument: the header and the link of svs_link(), and headers for
 * the library. */
static bool library_takes(const ast_node *call, size_t i) {
    const ast_node *argument = call_plain(call->kids.at[i]);
    if (call_makes_object(call)) return true;
    if (call->kids.at[0]->kind != AST_NAME || !scan_starts(call->kids.at[0]->text, "svs_"))
        return false;
    if (call_is_link(call) && i < 3) return true;
    return argument->kind == AST_UNARY && argument->kids.count &&
           scan_same(argument->kids.at[0]->shape, "struct svs_object");
}

/* An argument without its conversions to void *: in a call of a known function, these do not lead
 * to a first member. */
static const ast_node *skip_void(const ast_node *argument) {
    while (argument->kind == AST_CAST && scan_same(argument->shape, "void*") &&
           argument->kids.count)
        argument = argument->kids.at[0];
    return argument;
}

static void walk_address_kid(scan_program *program, const ast_node *node, size_t i) {
    const ast_node *kid = node->kids.at[i];
    if (!kid) return;
    if (node->kind == AST_CALL && i && call_targets_of(program, node->kids.at[0]).known)
        kid = skip_void(kid);
    if (node->kind == AST_CALL && i && library_takes(node, i)) {
        const ast_node *plain = call_plain(kid);
        if (is_address(plain)) mark_in_part(plain->kids.at[0]);
        walk_addresses(program, plain->kids.count && plain->kids.at[0] ? plain->kids.at[0] : plain);
        return;
    }
    if (is_address(kid) && !is_direct(node, i) && kid->kids.count) mark_addressed(kid->kids.at[0]);
    if (kid->kind == AST_NAME && kid->decl && kid->decl->kind == DECL_FUNCTION &&
        !(node->kind == AST_CALL && i == 0))
        kid->decl->stored = true;
    walk_addresses(program, kid);
}

static void walk_addresses(scan_program *program, const ast_node *node) {
    const ast_node *changed = ast_set(node);
    if (node->kind == AST_CAST && scan_same(node->shape, "void*") && node->kids.count &&
        shape_is_pointer(node->kids.at[0]->shape))
        mark_first(program, shape_inner(node->kids.at[0]->shape));
    if (changed && changed->kind == AST_NAME && changed->decl) changed->decl->assigned = true;
    if (changed) mark_in_part(changed);
    for (size_t i = 0; i < node->kids.count; i++) walk_address_kid(program, node, i);
}

/* Walks over each body, and over the values of each variable. */
static void walk_all(scan_program *program, void (*walk)(scan_program *, const ast_node *)) {
    for (size_t i = 0; i < program->functions.count; i++)
        walk(program, program->functions.at[i]->body);
    for (size_t i = 0; i < program->globals.room; i++) {
        const scan_decl *decl = scan_table_value(&program->globals, i);
        if (decl && decl->kind == DECL_GLOBAL && decl->body) {
            ast_node list = {
                .kind = AST_LIST,
                .kids = {decl->body->kids.at, decl->body->kids.count, decl->body->kids.room}};
            walk(program, &list);
        }
    }
}

void addresses_find(scan_program *program) {
    for (size_t i = 0; i < program->record_list.count; i++)
        note_union(program, program->record_list.at[i]);
    walk_all(program, walk_voids);
    walk_all(program, walk_addresses);
}
