#include "scan/program/fold.h"
#include "scan/slice/slicing.h"

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

/* C converts numbers again, but for its own types of pointers. */
static residue_expr *typed(const slice_value *value) {
    return shape_is_pointer(value->shape) ? slice_converted(value) : value->known;
}

static slice_value binary_of(slicer *s, const ast_node *node, const char *op, slice_value *a,
                             slice_value *b) {
    slice_value value = {.shape = node->shape, .why = a->known ? b->why : a->why};
    bool divides = scan_same(op, "/") || scan_same(op, "%");
    long long divisor = 0;
    bool safe = !divides || !slice_is_risky(s) ||
                (fold_value(node->kids.at[node->kids.count - 1], &divisor) && divisor > 0);
    if (a->known && b->known && safe)
        value.known = residue_make(false, "%e %s %e", typed(a), op, typed(b));
    if (a->known && b->known && !safe) value.why = "its divisor may be 0 where the body stops";
    if (shape_is_pointer(node->shape)) {
        const bool first = shape_is_pointer(a->shape);
        keep_pointer(&value, first ? a : b);
        slice_check_item(s, first ? a : b, node->kids.count > 1 ? node->kids.at[first] : node);
    }
    if (shape_is_pointer(node->shape) && value.target.kind == OWNER_NONE && !value.known) {
        const scan_record *record = shape_record(s->program, shape_inner(node->shape));
        if (record && record->header) value.target.kind = OWNER_UNKNOWN;
    }
    return value;
}

/* a && b, a || b: accesses of b depend on a. */
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
    slice_check_stale(s, from, &a);
    value.why = a.known ? b.why : a.why;
    if (a.known && b.known)
        value.known = residue_make(false, "%e %s %e", a.known, node->text, b.known);
    return value;
}

slice_value slice_binary(slicer *s, const ast_node *node) {
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
    slice_check_stale(s, from, &a);
    return binary_of(s, node, op, &a, &b);
}

/* x = y, x += y: the value is the new value of x. */
slice_value slice_assignment(slicer *s, const ast_node *node) {
    const ast_node *to = node->kids.at[0];
    slice_place place = slice_lvalue(s, to);
    size_t from = s->out->count;
    slice_value value = slice_eval(s, node->kids.at[1]);
    slice_value pointer = {.known = place.anchor};
    if (slice_is_stale(s, from, &pointer)) place.anchor = place.text = place.pointer = NULL;
    if (!scan_same(node->text, "=")) {
        slice_value old = slice_load(s, &place, to);
        const char *op = scan_text("%.*s", (int)strlen(node->text) - 1, node->text);
        value = binary_of(s, node, op, &old, &value);
    }
    if (scan_same(node->kids.at[0]->shape, "_Bool") && value.known)
        value.known = residue_make(false, "%e != 0", value.known);
    slice_store(s, &place, &value, to);
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
    slice_store(s, &place, &value, to);
    if (place.kind != PLACE_VARIABLE) return slice_unknown(node->shape, "memory is counted up");
    value = slice_read(s, place.variable, node->shape);
    if (!node->postfix || !value.known) return value;
    slice_value before = value;
    before.known = residue_make(false, "%e %s 1", value.known, back);
    if (shape_is_pointer(node->shape)) return before;
    if (scan_same(node->shape, "_Bool") || strstr(node->shape, "float") ||
        strstr(node->shape, "double"))
        return slice_unknown(node->shape, "the number before it is counted is not a whole one");
    before.known = residue_make(false, "(%s)%e", to->type, before.known);
    return before;
}

slice_value slice_unary(slicer *s, const ast_node *node) {
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
    value.known = typed(&value);
    value.shape = node->shape;
    value.convert = NULL;
    value.null = false;
    if (value.known) value.known = residue_make(false, "%s%e", op, value.known);
    if (value.known && scan_same(op, "-")) value.known->atom = false;
    return value;
}

/* c ? a : b; a value that a branch computes goes through a variable. */
slice_value slice_choice(slicer *s, const ast_node *node) {
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
    for (int i = 0; i < 2; i++) slice_check_stale(s, from, &values[i]);
    slice_check_stale(s, from, &c);
    if (c.known && values[0].known && values[1].known)
        value.known =
            residue_make(false, "%e ? %e : %e", c.known, typed(&values[0]), typed(&values[1]));
    else value.why = !c.known ? c.why : values[0].known ? values[1].why : values[0].why;
    if (values[0].null || values[1].null) {
        residue_expr *all = value.known;
        const char *why = value.why;
        value = values[0].null ? values[1] : values[0];
        value.sure = false;
        value.known = all;
        value.convert = NULL;
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
