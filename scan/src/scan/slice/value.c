#include "scan/program/shape.h"
#include "scan/slice/slicing.h"
#include <stdlib.h>

slice_value slice_unknown(const char *shape, const char *why) {
    return (slice_value){.shape = shape, .why = why};
}

/* A value where no assignment converts it: with its implicit conversion written out. */
residue_expr *slice_converted(const slice_value *value) {
    if (!value->known || !value->convert) return value->known;
    return residue_make(false, "(%s)%e", value->convert, value->known);
}

void slice_check(const scan_decl *decl, scan_place place) {
    if (decl->refused)
        scan_error(place, "svs scan does not follow %s, of %s", decl->refused, decl->name);
}

/* May the touch function name a declaration? Two files may each have a static one of the same
 * name. */
bool slice_sees(const slicer *s, const scan_decl *decl) {
    const scan_unit *unit = s->task->unit;
    const char *own =
        scan_text(decl->kind == DECL_FUNCTION ? "%s@%s@()" : "%s@%s@", decl->name, unit->file);
    if (decl->inner || !scan_table_get(&unit->visible, decl->name)) return false;
    if (scan_same(decl->name, "f") || scan_same(decl->name, "item")) return false; /* parameters */
    if (decl->is_static) return decl->unit == unit;
    return !scan_table_get(&s->program->globals, own);
}

bool slice_spells(const slicer *s, const char *type, const char *shape) {
    const scan_unit *unit = s->frame->function ? s->frame->function->unit : s->task->unit;
    return shape_is_spelled(unit, type) && shape_of(s->task->unit, type) == shape;
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

/* An integer with its type. */
static const char *number(const char *type, int64_t value) {
    if (scan_same(type, "int")) value = (int32_t)value;
    if (scan_same(type, "int") && value >= 0) return scan_text("%lld", (long long)value);
    if (strstr(type, "unsigned")) return scan_text("((%s)%lluu)", type, (unsigned long long)value);
    return value == INT64_MIN ? scan_text("((%s)(-INT64_MAX - 1))", type)
                              : scan_text("((%s)%lld)", type, (long long)value);
}

/* The spelling of a literal whose token is not available: the same value, with the same type. */
static const char *spelling(const ast_node *node) {
    if (scan_same(node->shape, "float") || scan_same(node->shape, "double"))
        return scan_text("((%s)%s%s)", node->type, node->text,
                         strpbrk(node->text, ".e") ? "" : ".0");
    if (scan_same(node->shape, "long double"))
        return scan_text("%s%sL", node->text, strpbrk(node->text, ".e") ? "" : ".0");
    return number(node->type, (int64_t)strtoull(node->text, NULL, 10));
}

static slice_value literal(const ast_node *node) {
    slice_value value = {.shape = node->shape};
    bool text = shape_is_array(node->shape) || *node->text == '"';
    value.known = residue_make(true, "%s",
                               text          ? node->text
                               : node->token ? node->token
                                             : spelling(node));
    value.null = scan_same(node->text, "0");
    value.sure = *node->text == '"';
    return value;
}

static slice_value constant(const ast_node *node) {
    slice_value value = {.shape = node->shape};
    value.known = residue_make(true, "%s", number(node->type, node->decl->value));
    return value;
}

/* ---- casts ---- */

/* Reports bytes of memory that a function returns as void *: the memory may be of any type, unless
 * it is new. */
static void check_bytes(const slicer *s, const ast_node *node, const slice_value *value) {
    const ast_node *call = node->kids.at[0];
    if (call->kind != AST_CALL || !scan_same(value->shape, "void*") ||
        !scan_same(node->shape, "char*") || value->fresh || value->local || value->null)
        return;
    const call_targets targets = call_targets_of(s->program, call->kids.at[0]);
    bool other = targets.functions.count && !targets.functions.at[0]->quiet;
    if (targets.known && targets.known->result == 'a')
        other = !scan_same(call_plain(call->kids.at[1])->shape, "char*");
    if (other) scan_error(node->place, EFFECTS_BYTES, "variable");
}

static slice_value cast(slicer *s, const ast_node *node) {
    slice_value value = slice_eval(s, node->kids.at[0]);
    const char *kind = node->text;
    check_bytes(s, node, &value);
    if (scan_same(kind, "ToVoid")) return slice_unknown(node->shape, NULL);
    if (scan_same(kind, "NullToPointer")) {
        value = (slice_value){.shape = node->shape, .null = true};
        value.known = residue_make(true, "NULL");
        return value;
    }
    if (scan_same(kind, "NoOp")) return value;
    if (value.known && !slice_spells(s, node->type, node->shape)) {
        value.known = NULL;
        value.why = "its type has no name in front of the touch function";
    }
    if (shape_is_pointer(node->shape) && shape_is_pointer(value.shape)) {
        const char *real = value.convert ? value.real : value.shape;
        /* the item already has this type */
        bool item = value.known && scan_same(value.known->text, "item");
        value.convert = item || real == node->shape ? NULL : node->type;
        value.real = real;
    } else if (strstr(kind, "ToBoolean")) {
        if (value.known) value.known = residue_make(false, "%e != 0", value.known);
        value = (slice_value){.known = value.known, .why = value.why};
    } else {
        if (scan_same(kind, "PointerToIntegral"))
            value = (slice_value){.known = value.known, .why = value.why};
        value.convert = node->type;
    }
    if (node->written) {
        value.known = slice_converted(&value);
        value.convert = NULL;
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

/* The size of a type. If the type has a computed length, the size is unknown; the operand of any
 * other type does not run. */
static slice_value size(slicer *s, const ast_node *node) {
    const ast_node *of = node->kids.count ? node->kids.at[0] : NULL;
    const char *type = *node->text || !of ? node->text : of->type;
    const char *shape = *node->text || !of ? node->of : of->shape;
    slice_value value = {.shape = node->shape, .why = "a size that is not named by a type"};
    if (strchr(type, '[') && !shape_is_spelled(s->task->unit, type))
        for (size_t i = 0; i < node->kids.count; i++) slice_eval(s, node->kids.at[i]);
    const char *name = scan_same(node->type, "sizeof")    ? "sizeof"
                       : scan_same(node->type, "alignof") ? "_Alignof"
                                                          : NULL;
    if (name && *type && shape && slice_spells(s, type, shape))
        value.known = residue_make(true, "%s(%s)", name, type);
    return value;
}

/* { a, b, ... } as a value, when each element is known. */
static residue_expr *list_text(const slicer *s, const ast_node *node, const residue_expr *kids,
                               const scan_record *record) {
    if (!kids || !record || record->is_union || !slice_spells(s, node->type, node->shape))
        return NULL;
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
        if (!call_stores_through(node, i)) continue;
        slice_place place = slice_deref(s, &pointer, shape_inner(pointer.shape));
        slice_access(s, &place, true, node->kids.at[i]);
        if (place.kind == PLACE_PRIVATE) slice_hand(s, &pointer);
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
        if (node->decl) slice_check(node->decl, node->place);
        if (node->decl && node->decl->kind == DECL_CONSTANT) return constant(node);
        if (node->decl && node->decl->kind == DECL_FUNCTION) value.function = node->decl;
        return value;
    case AST_UNARY: return slice_unary(s, node);
    case AST_BINARY: return slice_binary(s, node);
    case AST_ASSIGN: return slice_assignment(s, node);
    case AST_CHOICE: return slice_choice(s, node);
    case AST_CALL: return slice_call(s, node);
    case AST_SIZE: return size(s, node);
    case AST_LIST: return of_kids(s, node, "a list of values");
    case AST_COMPOUND_LITERAL: return of_kids(s, node, "it is in a compound literal");
    case AST_OFFSET: return slice_unknown(node->shape, "offsetof");
    case AST_BLOCK_VALUE: return block_value(s, node);
    case AST_ATOMIC: return atomic(s, node);
    case AST_MEMBER: /* a member of a struct that a call returns */
    case AST_INDEX: place = slice_lvalue(s, node); return slice_load(s, &place, node);
    default: break;
    }
    scan_error(node->place,
               "svs scan does not follow %s; write it otherwise, or say what the "
               "function touches by hand (SVS_TOUCHES_NOTHING, SVS_TASK)",
               node->text ? node->text : "this");
    return value;
}
