#include "slicing.h"

slice_value slice_unknown(const char *shape, const char *why) {
    return (slice_value){.shape = shape, .why = why};
}

/* A value where no assignment converts it: with its implicit conversion written out. */
residue_expr *slice_converted(const slice_value *value) {
    if (!value->known || !value->convert) return value->known;
    return residue_make(false, "(%s)%e", value->convert, value->known);
}

bool slice_is_stale(const slicer *s, size_t from, const slice_value *value) {
    residue_block since = {.at = s->out->at + from, .count = s->out->count - from};
    for (size_t i = 0; value->known && i < value->known->slots.count; i++)
        if (residue_sets(&since, value->known->slots.at[i])) return true;
    return false;
}

void slice_check_stale(const slicer *s, size_t from, slice_value *value) {
    if (!slice_is_stale(s, from, value)) return;
    value->known = NULL;
    value->why = "the same expression changes it";
}

/* ---- constants ---- */

static slice_value literal(const ast_node *node) {
    slice_value value = {.shape = node->shape};
    const char *type = node->type;
    bool number = !shape_is_array(node->shape) && *node->text != '"';
    bool real = scan_same(node->shape, "float") || scan_same(node->shape, "double");
    if (!number) value.known = residue_make(true, "%s", node->text);
    else if (real)
        value.known = residue_make(true, strpbrk(node->text, ".eE") ? "%s" : "%s.0", node->text);
    else
        value.known = residue_make(true, "%s%s%s", node->text, strstr(type, "unsigned") ? "u" : "",
                                   strstr(type, "long") ? "l" : "");
    value.null = scan_same(node->text, "0");
    value.sure = *node->text == '"';
    return value;
}

static slice_value constant(const slicer *s, const ast_node *node) {
    slice_value value = {.shape = node->shape};
    if (scan_table_get(&s->task->unit->visible, node->decl->name))
        value.known = residue_make(true, "%s", node->decl->name);
    else
        value.known = residue_make(true, node->decl->value < 0 ? "(%s)" : "%s",
                                   scan_text("%ld", node->decl->value));
    return value;
}

/* ---- casts ---- */

static slice_value cast(slicer *s, const ast_node *node) {
    slice_value value = slice_eval(s, node->kids.at[0]);
    const char *kind = node->text;
    if (scan_same(kind, "ToVoid")) return slice_unknown(node->shape, NULL);
    if (scan_same(kind, "NullToPointer")) {
        value = (slice_value){.shape = node->shape, .null = true};
        value.known = residue_make(true, "NULL");
        return value;
    }
    if (scan_same(kind, "NoOp")) return value;
    if (shape_is_pointer(node->shape) && shape_is_pointer(value.shape)) {
        bool same = value.item || !node->written; /* the item has its type already */
        value.shape = node->shape;
        if (value.known && !same)
            value.known = residue_make(false, "(%s)%e", node->type, value.known);
        return value;
    }
    if (scan_same(kind, "IntegralToPointer") || scan_same(kind, "PointerToIntegral"))
        value = (slice_value){.known = value.known, .shape = node->shape, .why = value.why};
    if (node->written || scan_same(kind, "IntegralToPointer")) {
        if (value.known) value.known = residue_make(false, "(%s)%e", node->type, value.known);
        value.convert = NULL;
    } else if (strstr(kind, "ToBoolean")) {
        if (value.known) value.known = residue_make(false, "%e != 0", value.known);
        value = (slice_value){.known = value.known, .why = value.why};
    } else {
        value.convert = value.known && value.known->slots.count == 0 && value.known->atom &&
                                strlen(value.known->text) < 5
                            ? NULL
                            : node->type;
    }
    value.shape = node->shape;
    return value;
}

static slice_value decay(slicer *s, const ast_node *node) {
    const ast_node *of = node->kids.at[0];
    if (of->kind == AST_LITERAL) return literal(of);
    slice_place place = slice_lvalue(s, of);
    return slice_address(s, &place, node->shape);
}

static slice_value size(const ast_node *node) {
    slice_value value = {.shape = node->shape, .why = "a size that is not named by a type"};
    if (*node->text)
        value.known = residue_make(
            true, "%s(%s)", scan_same(node->type, "sizeof") ? "sizeof" : "_Alignof", node->text);
    else if (node->kids.count && scan_same(node->type, "sizeof") &&
             !strstr(node->kids.at[0]->type, "unnamed") &&
             !strstr(node->kids.at[0]->type, "anonymous"))
        value.known = residue_make(true, "sizeof(%s)", node->kids.at[0]->type);
    return value;
}

/* { a, b, ... } as a value, when all of it is known. */
static residue_expr *list_text(slicer *s, const ast_node *node, const residue_expr *kids,
                               const scan_record *record) {
    (void)s;
    if (!kids || !record || record->is_union || strpbrk(node->type, "(:")) return NULL;
    return residue_make(true, "(%s){%E}", node->type, kids);
}

static slice_value of_kids(slicer *s, const ast_node *node, const char *why) {
    const scan_record *record = shape_record(s->program, node->shape);
    slice_value all = slice_unknown(node->shape, why);
    residue_expr *kids = node->kids.count ? residue_make(true, "") : NULL;
    for (size_t i = 0; i < node->kids.count; i++) {
        size_t from = s->out->count;
        slice_value value = slice_eval(s, node->kids.at[i]);
        if (node->kind == AST_LIST && record && i < record->fields.count)
            slice_fill(s, record->fields.at[i], &value);
        if (kids && slice_is_stale(s, from, &(slice_value){.known = kids})) kids = NULL;
        if (kids && !value.known) kids = NULL, all.why = value.why ? value.why : why;
        if (kids) kids = residue_make(true, i ? "%E, %E" : "%E%E", kids, value.known);
    }
    if (node->kind == AST_COMPOUND_LITERAL && node->kids.count == 1)
        all.known = record ? kids : NULL;
    else if (node->kind == AST_LIST) all.known = list_text(s, node, kids, record);
    if (node->kind == AST_LIST && !node->kids.count && !record && !shape_is_array(node->shape)) {
        all.known = residue_make(true, "0");
        all.null = true;
    }
    return all;
}

/* ({ ...; value; }) */
static slice_value block_value(slicer *s, const ast_node *node) {
    const ast_node *block = node->kids.at[0];
    slice_value value = slice_unknown(node->shape, "an empty statement expression");
    for (size_t i = 0; i < block->kids.count; i++) {
        if (i + 1 == block->kids.count && block->kids.at[i]->kind < AST_BLOCK)
            value = slice_eval(s, block->kids.at[i]);
        else slice_statement(s, block->kids.at[i]);
    }
    return value;
}

/* A builtin of atomic memory reads and writes (R11). */
static slice_value atomic(slicer *s, const ast_node *node) {
    for (size_t i = 0; i < node->kids.count; i++) {
        slice_value pointer = slice_eval(s, node->kids.at[i]);
        if (i || !shape_is_pointer(pointer.shape)) continue;
        slice_place place = slice_deref(s, &pointer, shape_inner(pointer.shape));
        slice_access(s, &place, true, node->kids.at[i]);
    }
    return slice_unknown(node->shape, "it is atomic memory");
}

slice_value slice_eval(slicer *s, const ast_node *node) {
    slice_place place;
    slice_value value = {.shape = node->shape};
    switch (node->kind) {
    case AST_NONE: return value;
    case AST_LOAD:
        if (node->kids.at[0]->kind == AST_COMPOUND_LITERAL) return slice_eval(s, node->kids.at[0]);
        place = slice_lvalue(s, node->kids.at[0]);
        value = slice_load(s, &place, node);
        slice_follows(s, node->kids.at[0]);
        return value;
    case AST_DECAY: return decay(s, node);
    case AST_CAST: return cast(s, node);
    case AST_LITERAL: return literal(node);
    case AST_NAME:
        if (node->decl && node->decl->kind == DECL_CONSTANT) return constant(s, node);
        if (node->decl && node->decl->kind == DECL_FUNCTION) value.function = node->decl;
        return value;
    case AST_UNARY: return slice_unary(s, node);
    case AST_BINARY: return slice_binary(s, node);
    case AST_ASSIGN: return slice_assignment(s, node);
    case AST_CHOICE: return slice_choice(s, node);
    case AST_CALL: return slice_call(s, node);
    case AST_SIZE: return size(node);
    case AST_LIST: return of_kids(s, node, "a list of values");
    case AST_COMPOUND_LITERAL: return of_kids(s, node, "it is in a compound literal");
    case AST_OFFSET: return slice_unknown(node->shape, "offsetof");
    case AST_BLOCK_VALUE: return block_value(s, node);
    case AST_ATOMIC: return atomic(s, node);
    case AST_MEMBER: /* of a struct that a call returns */
    case AST_INDEX: place = slice_lvalue(s, node); return slice_load(s, &place, node);
    default: break;
    }
    scan_error(node->place,
               "svs scan does not follow %s: write it otherwise, or say what the "
               "function touches by hand (SVS_TOUCHES_NOTHING, SVS_TASK)",
               node->text ? node->text : "this");
    return value;
}
