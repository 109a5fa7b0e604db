#include "fold.h"
#include "slicing.h"

slice_value slice_unknown(const char *shape, const char *why) {
    return (slice_value){.shape = shape, .why = why};
}

/* A value where no assignment converts it: with its implicit conversion written out. */
residue_expr *slice_converted(const slice_value *value) {
    if (!value->known || !value->convert) return value->known;
    return residue_make(false, "(%s)%e", value->convert, value->known);
}

/* Whether steps since `from` have set a variable of a value that was taken in front of them. */
static bool is_stale(const slicer *s, size_t from, const slice_value *value) {
    residue_block since = {.at = s->out->at + from, .count = s->out->count - from};
    for (size_t i = 0; value->known && i < value->known->slots.count; i++)
        if (residue_sets(&since, value->known->slots.at[i])) return true;
    return false;
}

static void check_stale(const slicer *s, size_t from, slice_value *value) {
    if (!is_stale(s, from, value)) return;
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

/* ---- operators ---- */

static const char dropped[] = "a condition that is not known before is dropped";

/* What pointer arithmetic keeps: the same array, so the same owner. */
static void keep_pointer(slice_value *value, const slice_value *from) {
    value->target = from->target;
    value->fresh = from->fresh;
    value->local = from->local;
    value->item = from->item;
    value->stable = from->stable;
    value->guard = from->guard ? from->guard : from->known;
    value->unsafe = true;
}

static slice_value binary_of(slicer *s, const ast_node *node, const char *op, slice_value *a,
                             slice_value *b) {
    slice_value value = {.shape = node->shape, .why = a->known ? b->why : a->why};
    bool divides = scan_same(op, "/") || scan_same(op, "%");
    long long divisor = 0;
    bool safe = !divides || !slice_is_risky(s) ||
                (fold_value(node->kids.at[node->kids.count - 1], &divisor) && divisor > 0);
    if (a->known && b->known && safe)
        value.known = residue_make(false, "%e %s %e", a->known, op, b->known);
    if (a->known && b->known && !safe) value.why = "its divisor may be 0 where the body stops";
    if (shape_is_pointer(node->shape) && shape_is_pointer(a->shape)) keep_pointer(&value, a);
    if (shape_is_pointer(node->shape) && !shape_is_pointer(a->shape)) keep_pointer(&value, b);
    if (shape_is_pointer(node->shape) && value.target.kind == OWNER_NONE && !value.known) {
        const scan_record *record = shape_record(s->program, shape_inner(node->shape));
        if (record && record->header) value.target.kind = OWNER_UNKNOWN;
    }
    return value;
}

/* a && b, a || b: what b accesses, it accesses only behind a. */
static slice_value logical(slicer *s, const ast_node *node) {
    bool both = scan_same(node->text, "&&");
    slice_value a = slice_eval(s, node->kids.at[0]), b, value = {.shape = node->shape};
    residue_block inner = {0}, *outside = s->out;
    size_t from = s->out->count;
    slice_doubt before = {0, NULL};
    if (a.null && both)
        return (slice_value){.known = residue_make(true, "0"), .shape = node->shape, .null = true};
    s->out = &inner;
    if (!a.known) before = slice_drop_if(s, dropped);
    s->level++;
    b = slice_eval(s, node->kids.at[1]);
    s->level--;
    if (!a.known) slice_keep_if(s, before);
    s->out = outside;
    if (inner.count && a.known) {
        residue_step *step = slice_step(s, STEP_IF, node->place);
        step->expr = both ? a.known : residue_make(false, "!%e", a.known);
        step->inner[0] = inner;
    } else {
        for (size_t i = 0; i < inner.count; i++) SCAN_ADD(s->out, inner.at[i]);
    }
    check_stale(s, from, &a);
    value.why = a.known ? b.why : a.why;
    if (a.known && b.known)
        value.known = residue_make(false, "%e %s %e", a.known, node->text, b.known);
    return value;
}

static slice_value binary(slicer *s, const ast_node *node) {
    const char *op = node->text;
    size_t from;
    if (scan_same(op, "&&") || scan_same(op, "||")) return logical(s, node);
    slice_value a = slice_eval(s, node->kids.at[0]);
    from = s->out->count;
    if (scan_same(op, ",")) {
        slice_value b = slice_eval(s, node->kids.at[1]);
        if (call_marks_stable(node->kids.at[0])) {
            b.stable = true;
            b.unsafe = false;
        }
        return b;
    }
    slice_value b = slice_eval(s, node->kids.at[1]);
    check_stale(s, from, &a);
    return binary_of(s, node, op, &a, &b);
}

/* x = y, x += y: the value is that of x behind it. */
static slice_value assign(slicer *s, const ast_node *node) {
    const ast_node *to = node->kids.at[0];
    slice_place place = slice_lvalue(s, to);
    size_t from = s->out->count;
    slice_value value = slice_eval(s, node->kids.at[1]);
    slice_value pointer = {.known = place.anchor};
    if (is_stale(s, from, &pointer)) place.anchor = place.text = place.pointer = NULL;
    if (!scan_same(node->text, "=")) {
        slice_value old = slice_load(s, &place, to);
        const char *op = scan_text("%.*s", (int)strlen(node->text) - 1, node->text);
        value = binary_of(s, node, op, &old, &value);
    }
    if (scan_same(node->kids.at[0]->shape, "_Bool") && value.known)
        value.known = residue_make(false, "%e != 0", value.known);
    slice_store(s, &place, &value, node->place);
    if (place.kind == PLACE_VARIABLE) return slice_read(s, place.variable, node->shape);
    value.convert = to->type;
    value.shape = node->shape;
    return value;
}

static slice_value increment(slicer *s, const ast_node *node) {
    const ast_node *to = node->kids.at[0];
    const char *op = scan_same(node->text, "++") ? "+" : "-", *back = *op == '+' ? "-" : "+";
    slice_place place = slice_lvalue(s, to);
    slice_value old = slice_load(s, &place, to), value = old;
    slice_value one = {.known = residue_make(true, "1"), .shape = "int"};
    value = binary_of(s, node, op, &old, &one);
    slice_store(s, &place, &value, node->place);
    if (place.kind != PLACE_VARIABLE) return slice_unknown(node->shape, "memory is counted up");
    value = slice_read(s, place.variable, node->shape);
    if (!node->postfix || !value.known) return value;
    slice_value before = value;
    before.known = residue_make(false, "%e %s 1", value.known, back);
    if (!shape_is_pointer(node->shape)) before.convert = to->type;
    return before;
}

static slice_value unary(slicer *s, const ast_node *node) {
    slice_value value;
    const char *op = node->text;
    if (scan_same(op, "&")) {
        const ast_node *of = node->kids.at[0];
        if (of->kind == AST_NAME && (!of->decl || of->decl->kind == DECL_FUNCTION))
            return slice_eval(s, of);
        slice_place place = slice_lvalue(s, of);
        return slice_address(s, &place, node->shape);
    }
    if (scan_same(op, "*")) {
        slice_place place = slice_lvalue(s, node);
        return slice_load(s, &place, node);
    }
    if (scan_same(op, "++") || scan_same(op, "--")) return increment(s, node);
    value = slice_eval(s, node->kids.at[0]);
    if (scan_same(op, "__extension__")) return value;
    value.shape = node->shape;
    value.convert = NULL;
    value.null = false;
    if (value.known) value.known = residue_make(false, "%s%e", op, value.known);
    if (value.known && scan_same(op, "-")) value.known->atom = false;
    return value;
}

/* c ? a : b; a value that a branch works out goes through a variable. */
static slice_value choice(slicer *s, const ast_node *node) {
    slice_value c = slice_eval(s, node->kids.at[0]), values[2], value = {.shape = node->shape};
    residue_block blocks[2] = {{0}, {0}}, *outside = s->out;
    size_t from = s->out->count;
    slice_doubt before = {0, NULL};
    for (int i = 0; i < 2; i++) {
        s->out = &blocks[i];
        if (!c.known) before = slice_drop_if(s, dropped);
        s->level++;
        values[i] = slice_eval(s, node->kids.at[i + 1]);
        s->level--;
        if (!c.known) slice_keep_if(s, before);
    }
    s->out = outside;
    if (c.known && (blocks[0].count || blocks[1].count)) {
        residue_step *step = slice_step(s, STEP_IF, node->place);
        step->expr = c.known;
        step->inner[0] = blocks[0];
        step->inner[1] = blocks[1];
    } else {
        for (int i = 0; i < 2; i++)
            for (size_t k = 0; k < blocks[i].count; k++) SCAN_ADD(s->out, blocks[i].at[k]);
    }
    for (int i = 0; i < 2; i++) check_stale(s, from, &values[i]);
    check_stale(s, from, &c);
    if (c.known && values[0].known && values[1].known)
        value.known =
            residue_make(false, "%e ? %e : %e", c.known, values[0].known, values[1].known);
    else value.why = !c.known ? c.why : values[0].known ? values[1].why : values[0].why;
    if (values[0].null || values[1].null) {
        residue_expr *all = value.known;
        const char *why = value.why;
        value = values[0].null ? values[1] : values[0];
        value.sure = false;
        value.known = all;
        value.guard = NULL;
        value.why = why;
    } else if (shape_is_pointer(node->shape)) {
        value.target = values[0].target;
        value.fresh = values[0].fresh && values[1].fresh;
        value.local = values[0].local && values[1].local;
        value.item = values[0].item && values[1].item;
        value.stable = values[0].stable && values[1].stable;
        value.unsafe = values[0].unsafe || values[1].unsafe;
        if (values[0].target.kind != OWNER_NONE || values[1].target.kind != OWNER_NONE)
            value.target = (slice_owner){.kind = OWNER_UNKNOWN};
    }
    value.shape = node->shape;
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
        if (kids && is_stale(s, from, &(slice_value){.known = kids})) kids = NULL;
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
        slice_access(s, &place, true, node->place);
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
    case AST_UNARY: return unary(s, node);
    case AST_BINARY: return binary(s, node);
    case AST_ASSIGN: return assign(s, node);
    case AST_CHOICE: return choice(s, node);
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
