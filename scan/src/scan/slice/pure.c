#include "scan/slice/slicing.h"

static bool is_pure(slicer *s, const scan_decl *function, int depth);

static bool is_pure_node(slicer *s, const ast_node *node, int depth) {
    if (node->is_volatile) return false;
    switch (node->kind) {
    case AST_ASSIGN:
    case AST_FOR:
    case AST_WHILE:
    case AST_DO:
    case AST_ATOMIC:
    case AST_UNKNOWN:
    case AST_SWITCH:
    case AST_BLOCK_VALUE:
    case AST_OFFSET: return false;
    case AST_UNARY:
        if (ast_is_step(node)) return false;
        if (scan_same(node->text, "*") && !effects_shape_stable(s->program, node->shape))
            return false;
        break;
    case AST_INDEX:
        if (!effects_shape_stable(s->program, node->shape)) return false;
        break;
    case AST_MEMBER:
        if (!node->decl || !effects_stable(s->program, node->decl)) return false;
        break;
    case AST_NAME:
        if (!node->decl || node->decl->refused) return false;
        if (node->decl->kind == DECL_GLOBAL &&
            (node->decl->inner || !effects_stable(s->program, node->decl)))
            return false;
        if (node->decl->kind == DECL_LOCAL && node->decl->addressed) return false;
        break;
    case AST_CALL: {
        const ast_node *callee = node->kids.at[0];
        if (callee->kind != AST_NAME || !callee->decl || callee->decl->kind != DECL_FUNCTION ||
            !is_pure(s, callee->decl, depth + 1))
            return false;
        break;
    }
    default: break;
    }
    for (size_t i = 0; i < node->kids.count; i++)
        if (!is_pure_node(s, node->kids.at[i], depth)) return false;
    return true;
}

static bool is_pure(slicer *s, const scan_decl *function, int depth) {
    return function->body && depth < 8 && !function->quiet && !function->touched &&
           !function->refused && is_pure_node(s, function->body, depth);
}

bool slice_may_call(slicer *s, scan_decl *function, const slice_value *values, size_t count) {
    size_t length = strcspn(function->type, "(");
    if (!slice_sees(s, function) || slice_is_risky(s) || !is_pure(s, function, 0)) return false;
    if (length == 0 || scan_starts(function->type, "void (")) return false;
    if (memchr(function->type, '*', length)) return false; /* the owner would be lost */
    for (size_t i = 0; i < count; i++)
        if (!values[i].known || values[i].unsafe) return false;
    return true;
}

slice_value slice_call_text(slicer *s, scan_decl *function, const ast_node *node,
                            const slice_value *values, size_t count) {
    slice_value value = {.shape = node->shape};
    residue_expr *arguments = residue_make(true, "");
    for (size_t i = 0; i < count; i++)
        arguments = residue_make(true, i ? "%E, %E" : "%E%E", arguments, values[i].known);
    value.known = residue_make(true, "%s(%E)", function->name, arguments);
    slice_spoil(s, node->shape);
    return value;
}
