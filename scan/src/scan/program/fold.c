#include "scan/program/fold.h"
#include <stdlib.h>

static bool value_of_binary(const ast_node *node, long long *value) {
    long long a, b = 0;
    const char *op = node->text;
    const bool knows_a = fold_value(node->kids.at[0], &a);
    if (knows_a && scan_same(op, a ? "||" : "&&")) {
        *value = a != 0;
        return true;
    }
    if (!knows_a || !fold_value(node->kids.at[1], &b)) return false;
    if (scan_same(op, "||") || scan_same(op, "&&")) *value = b != 0;
    else if (scan_same(op, "*")) return !__builtin_mul_overflow(a, b, value);
    else if (scan_same(op, "+")) return !__builtin_add_overflow(a, b, value);
    else return false;
    return true;
}

/* Whether a number is a value of the type, whether that is signed or unsigned. */
static bool fits(const char *shape, long long value) {
    static const struct {
        const char *shape;
        long long last;
    } all[] = {{"_Bool", 1},       {"char", INT8_MAX},  {"short", INT16_MAX},
               {"int", INT32_MAX}, {"long", INT64_MAX}, {"long long", INT64_MAX}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (scan_same(shape, all[i].shape)) return value >= 0 && value <= all[i].last;
    return shape_is_pointer(shape) && value == 0;
}

static bool value_of(const ast_node *node, long long *value) {
    if (node->kind == AST_CAST) return fold_value(node->kids.at[0], value);
    if (node->kind == AST_NAME && node->decl && node->decl->kind == DECL_CONSTANT) {
        *value = node->decl->value;
        return true;
    }
    if (node->kind == AST_UNARY && scan_same(node->text, "!")) {
        if (!fold_value(node->kids.at[0], value)) return false;
        *value = !*value;
        return true;
    }
    if (node->kind == AST_BINARY) return value_of_binary(node, value);
    if (node->kind != AST_LITERAL || strspn(node->text, "0123456789") != strlen(node->text))
        return false;
    *value = strtoll(node->text, NULL, 10);
    return true;
}

bool fold_value(const ast_node *node, long long *value) {
    return value_of(node, value) && fits(node->shape, *value);
}

/* Whether a jump may lead into the node. */
static bool has_label(const ast_node *node) {
    if (node->kind == AST_CASE || node->kind == AST_DEFAULT || node->kind == AST_UNKNOWN)
        return true;
    for (size_t i = 0; i < node->kids.count; i++)
        if (has_label(node->kids.at[i])) return true;
    return false;
}

static ast_node *nothing_at(scan_place place) {
    ast_node *none = SCAN_NEW(ast_node);
    *none = (ast_node){.kind = AST_NONE, .shape = "void", .type = "void", .place = place};
    return none;
}

/* The branch that a constant condition chooses, or the node itself. */
static ast_node *chosen(ast_node *node) {
    if (node->kind != AST_IF && node->kind != AST_CHOICE) return node;
    long long condition;
    if (!fold_value(node->kids.at[0], &condition) || has_label(node)) return node;
    if (condition) return node->kids.at[1];
    return node->kids.count > 2 ? node->kids.at[2] : nothing_at(node->place);
}

static bool jumps(const ast_node *node) {
    if (node->kind == AST_BLOCK && node->kids.count)
        return jumps(node->kids.at[node->kids.count - 1]);
    return node->kind == AST_RETURN || node->kind == AST_BREAK || node->kind == AST_CONTINUE;
}

/* Removes statements after the first jump of a block, up to a label, because they never run. */
static void end_block(ast_node *block) {
    bool ended = false;
    size_t kept = 0;
    for (size_t i = 0; i < block->kids.count; i++) {
        ended = ended && !has_label(block->kids.at[i]);
        if (!ended) block->kids.at[kept++] = block->kids.at[i];
        ended = ended || jumps(block->kids.at[i]);
    }
    block->kids.count = kept;
}

void fold_body(ast_node *body) {
    for (size_t i = 0; i < body->kids.count; i++) {
        fold_body(body->kids.at[i]);
        body->kids.at[i] = chosen(body->kids.at[i]);
    }
    if (body->kind == AST_BLOCK) end_block(body);
}
