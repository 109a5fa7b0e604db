#include "scan/slice/slicing.h"

static void add_part(slice_condition *c, residue_expr *part) {
    c->known = c->known ? residue_make(false, "%e && %e", c->known, part) : part;
}

/* R2: what is known of `node` being `value`, without evaluating it a second time: of a && b the
 * parts, of !(a || b) the opposites. */
static slice_condition known_of(slicer *s, const ast_node *node, bool value) {
    slice_condition c = {NULL, true};
    while (node->kind == AST_CAST && !node->written) node = node->kids.at[0];
    if (node->kind == AST_UNARY && scan_same(node->text, "!"))
        return known_of(s, node->kids.at[0], !value);
    if (node->kind == AST_BINARY && scan_same(node->text, value ? "&&" : "||")) {
        for (int i = 0; i < 2; i++) {
            slice_condition part = known_of(s, node->kids.at[i], value);
            if (part.known) add_part(&c, part.known);
            c.exact = c.exact && part.exact;
        }
        return c;
    }
    residue_block unused = {0}, *outside = s->out;
    bool changed = s->changed;
    s->out = &unused;
    slice_value v = slice_eval(s, node);
    s->out = outside;
    s->changed = changed;
    for (size_t i = 0; v.known && i < v.known->slots.count; i++)
        /* a call in the condition sets the variable: its value is not known */
        if (residue_sets(&unused, v.known->slots.at[i])) v.known = NULL;
    c.exact = v.known != NULL;
    if (v.known) c.known = value ? v.known : residue_make(false, "!%e", v.known);
    return c;
}

static bool has_effects(const ast_node *node) {
    if (!node) return false;
    if (ast_set(node) || node->kind == AST_BLOCK_VALUE) return true;
    for (size_t i = 0; i < node->kids.count; i++)
        if (has_effects(node->kids.at[i])) return true;
    return false;
}

void slice_condition_of(slicer *s, const ast_node *node, slice_condition *yes,
                        slice_condition *no) {
    slice_value all = slice_eval(s, node);
    *yes = *no = (slice_condition){NULL, false};
    if (all.known) {
        *yes = (slice_condition){all.known, true};
        *no = (slice_condition){residue_make(false, "!%e", all.known), true};
    } else if (!has_effects(node)) {
        s->dropped_ifs++; /* a condition that is known in part guards no loads: R6 */
        *yes = known_of(s, node, true);
        *no = known_of(s, node, false);
        s->dropped_ifs--;
    }
}

static void nested(slicer *s, const ast_node *node, residue_block *into) {
    residue_block *outside = s->out;
    s->out = into;
    s->level++;
    slice_statement(s, node);
    s->level--;
    s->out = outside;
}

/* Follows a branch whose condition is unknown, or only partly known. */
static void perhaps(slicer *s, const ast_node *node, const slice_condition *c) {
    residue_block inner = {0}, *outside = s->out;
    s->out = &inner;
    slice_doubt before = slice_drop_if(s, "a condition that is not known before is dropped");
    slice_statement(s, node);
    slice_keep_if(s, before);
    s->out = outside;
    if (c->known) {
        residue_step *step = slice_step(s, STEP_IF, node->place);
        step->expr = c->known;
        step->inner[0] = inner;
    } else {
        for (size_t i = 0; i < inner.count; i++) SCAN_ADD(s->out, inner.at[i]);
    }
}

void slice_follow_if(slicer *s, const ast_node *node) {
    slice_condition yes, no;
    slice_condition_of(s, node->kids.at[0], &yes, &no);
    if (yes.exact) {
        residue_step *step = SCAN_NEW(residue_step);
        step->kind = STEP_IF;
        step->place = node->place;
        step->expr = yes.known;
        for (size_t i = 1; i < node->kids.count; i++)
            nested(s, node->kids.at[i], &step->inner[i - 1]);
        SCAN_ADD(s->out, step);
        return;
    }
    perhaps(s, node->kids.at[1], &yes);
    if (node->kids.count > 2) perhaps(s, node->kids.at[2], &no);
}
