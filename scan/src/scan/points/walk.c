#include "scan/points/walk.h"

/* ---- values ---- */

static points_id unary(walker *w, const ast_node *node) {
    const ast_node *of = node->kids.at[0];
    walk_place place;
    if (scan_same(node->text, "&")) {
        if (of->kind == AST_NAME && (!of->decl || of->decl->kind == DECL_FUNCTION)) return 0;
        place = walk_lvalue(w, of);
        return walk_address(w, &place);
    }
    if (scan_same(node->text, "*")) {
        place = walk_lvalue(w, node);
        return walk_load(w, &place);
    }
    if (ast_is_step(node)) {
        place = walk_lvalue(w, of);
        walk_access(w, &place, true, of);
        return walk_load(w, &place);
    }
    return walk_value(w, of);
}

static points_id binary(walker *w, const ast_node *node) {
    points_id a = walk_value(w, node->kids.at[0]), b = walk_value(w, node->kids.at[1]);
    if (scan_same(node->text, ","))
        return w->context->named && call_marks_stable(node->kids.at[0]) ? walk_stable(w) : b;
    return shape_is_pointer(node->shape) ? walk_union(w, a, b) : 0;
}

static points_id assign(walker *w, const ast_node *node) {
    walk_place place = walk_lvalue(w, node->kids.at[0]);
    points_id value = walk_value(w, node->kids.at[1]);
    walk_access(w, &place, true, node->kids.at[0]);
    if (!scan_same(node->text, "=")) return walk_load(w, &place);
    walk_store(w, &place, value);
    return value; /* also if nothing is known of the place */
}

static points_id choice(walker *w, const ast_node *node) {
    const ast_node *condition = node->kids.at[0];
    points_id a, b;
    if (condition->kind == AST_LITERAL && scan_same(condition->text, "1"))
        return walk_value(w, node->kids.at[1]);
    (void)walk_value(w, condition);
    a = walk_value(w, node->kids.at[1]);
    b = walk_value(w, node->kids.at[2]);
    return walk_union(w, a, b);
}

static points_id block_value(walker *w, const ast_node *block) {
    points_id value = 0;
    for (size_t i = 0; i < block->kids.count; i++) {
        const ast_node *kid = block->kids.at[i];
        if (kid->kind < AST_BLOCK) value = walk_value(w, kid);
        else walk_statement(w, kid);
    }
    return value;
}

static points_id atomic(walker *w, const ast_node *node) {
    points_id value = 0;
    for (size_t i = 0; i < node->kids.count; i++) {
        points_id one = walk_value(w, node->kids.at[i]);
        if (!call_stores_through(node, i)) continue;
        walk_place place = walk_deref(one, shape_inner(node->kids.at[i]->shape));
        walk_access(w, &place, true, node->kids.at[i]);
        if (shape_is_pointer(node->shape)) value = walk_load(w, &place);
    }
    return value;
}

points_id walk_value(walker *w, const ast_node *node) {
    walk_place place;
    switch (node->kind) {
    case AST_LOAD:
    case AST_MEMBER:
    case AST_INDEX:
        place = walk_lvalue(w, node->kind == AST_LOAD ? node->kids.at[0] : node);
        walk_access(w, &place, false, node->kind == AST_LOAD ? node->kids.at[0] : node);
        place.shape = node->shape;
        return walk_load(w, &place);
    case AST_DECAY: place = walk_lvalue(w, node->kids.at[0]); return walk_address(w, &place);
    case AST_CAST: return walk_value(w, node->kids.at[0]);
    case AST_UNARY: return unary(w, node);
    case AST_BINARY: return binary(w, node);
    case AST_ASSIGN: return assign(w, node);
    case AST_CHOICE: return choice(w, node);
    case AST_CALL: return walk_call(w, node);
    case AST_LIST:
    case AST_COMPOUND_LITERAL: place = walk_lvalue(w, node); return walk_load(w, &place);
    case AST_BLOCK_VALUE: return block_value(w, node->kids.at[0]);
    case AST_ATOMIC: return atomic(w, node);
    case AST_SIZE:
    case AST_OFFSET: return 0;
    default: break;
    }
    for (size_t i = 0; i < node->kids.count; i++) (void)walk_value(w, node->kids.at[i]);
    /* the value of a construct that is refused */
    return shape_is_pointer(node->shape) ? walk_outside(w) : 0;
}

/* ---- statements ---- */

void walk_declare(walker *w, const scan_decl *decl, const ast_node *value) {
    walk_place place = {.site = walk_site(w, decl), .shape = decl->shape};
    if (value->kind == AST_LIST) walk_store_list(w, &place, value);
    else walk_store(w, &place, walk_value(w, value));
}

void walk_statement(walker *w, const ast_node *node) {
    if (node->kind < AST_BLOCK) {
        (void)walk_value(w, node);
        return;
    }
    if (node->kind == AST_DECLARE) {
        if (node->kids.count) walk_declare(w, node->decl, node->kids.at[0]);
        return;
    }
    if (node->kind == AST_RETURN && node->kids.count) {
        points_id value = walk_value(w, node->kids.at[0]);
        if (value) points_assign(w->m->points, walk_enter(w, w->function), value);
        return;
    }
    for (size_t i = 0; i < node->kids.count; i++) walk_statement(w, node->kids.at[i]);
}

points_id walk_parameter(walker *w, const scan_decl *parameter) {
    return points_content(w->m->points, walk_site(w, parameter), 0);
}
