#include "scan/slice/slicing.h"

/* ---- jumps ---- */

static void leave(slicer *s, const ast_node *node, bool next) {
    slice_construct *c = s->construct;
    while (c && c->kind != CONSTRUCT_LOOP && (next || c->kind != CONSTRUCT_SWITCH)) c = c->outer;
    if (!c) return;
    if (slice_keeps_jump(s, c, next)) {
        const char *label = next ? c->next : c->plain_break ? NULL : c->out;
        if (label) slice_step(s, STEP_GOTO, node->place)->text = label;
        else slice_step(s, next ? STEP_CONTINUE : STEP_BREAK, node->place);
        return;
    }
    /* R4. A dropped jump out of a switch inside of the loop also leaves the switch. */
    for (slice_construct *inner = s->construct; inner != c; inner = inner->outer)
        inner->left = true;
    if (next) {
        c->continued = true;
    } else {
        c->left = true;
        if (c->remember && !*c->remember) *c->remember = s->changed = true;
    }
}

/* ---- switch ---- */

static void follow_case(slicer *s, const ast_node *node, bool kept) {
    while (node->kind == AST_CASE || node->kind == AST_DEFAULT) {
        if (node->kids.count > 2)
            scan_error(node->place, "a case with a range: svs scan does not follow it");
        if (kept) {
            residue_step *step = slice_step(s, STEP_CASE, node->place);
            if (node->kind == AST_CASE) {
                step->expr = slice_eval(s, node->kids.at[0]).known;
                if (!step->expr)
                    scan_error(node->place,
                               "a case with a value that is no constant that the touch "
                               "function can name");
            }
        }
        node = node->kids.at[node->kids.count - 1];
    }
    s->level++; /* variables that another case declares may be unset */
    slice_statement(s, node);
    s->level--;
}

static void follow_switch(slicer *s, const ast_node *node) {
    slice_value value = slice_eval(s, node->kids.at[0]);
    const ast_node *body = node->kids.at[node->kids.count - 1];
    slice_construct c = {.outer = s->construct,
                         .kind = CONSTRUCT_SWITCH,
                         .plain_break = true,
                         .dropped_ifs = s->dropped_ifs};
    residue_block inner = {0}, *outside = s->out;
    slice_doubt before;
    if (body->kind != AST_BLOCK) {
        scan_error(node->place, "a switch without a block: svs scan does not follow it");
        return;
    }
    c.level = ++s->level;
    s->construct = &c;
    s->out = &inner;
    if (!value.known) before = slice_drop_if(s, "a switch that is not known before is dropped");
    for (size_t i = 0; i < body->kids.count; i++) follow_case(s, body->kids.at[i], value.known);
    if (!value.known) slice_keep_if(s, before);
    s->out = outside;
    s->construct = c.outer;
    s->level--;
    if (value.known) {
        residue_step *step = slice_step(s, STEP_SWITCH, node->place);
        step->expr = value.known;
        step->inner[0] = inner;
    } else {
        for (size_t i = 0; i < inner.count; i++) SCAN_ADD(s->out, inner.at[i]);
    }
}

/* ---- statements ---- */

static void follow_declaration(slicer *s, const ast_node *node) {
    slice_variable *variable = slice_variable_of(s, node->decl);
    variable->slot->level = variable->root->level = s->level;
    if (!node->kids.count) return;
    slice_value value = slice_eval(s, node->kids.at[0]);
    if (node->decl->addressed) slice_fill(s, node->decl, &value);
    else if (!shape_is_array(node->decl->shape))
        slice_assign(s, variable, &value, true, node->place);
}

static bool is_zero(const ast_node *node) {
    while (node->kind == AST_CAST) node = node->kids.at[0];
    return node->kind == AST_LITERAL && scan_same(node->text, "0");
}

void slice_statement(slicer *s, const ast_node *node) {
    switch (node->kind) {
    case AST_BLOCK:
        if (!node->text) s->level++;
        for (size_t i = 0; i < node->kids.count; i++) slice_statement(s, node->kids.at[i]);
        if (!node->text) s->level--;
        return;
    case AST_NONE: return;
    case AST_DECLARE: follow_declaration(s, node); return;
    case AST_IF: slice_follow_if(s, node); return;
    case AST_FOR:
    case AST_WHILE: slice_follow_loop(s, node); return;
    case AST_DO:
        if (is_zero(node->kids.at[1])) slice_follow_block(s, node);
        else slice_follow_loop(s, node);
        return;
    case AST_SWITCH: follow_switch(s, node); return;
    case AST_BREAK: leave(s, node, false); return;
    case AST_CONTINUE: leave(s, node, true); return;
    case AST_RETURN: slice_return(s, node); return;
    case AST_CASE:
    case AST_DEFAULT:
        scan_error(node->place, "a case inside of another statement: svs scan does not follow it");
        return;
    default: slice_eval(s, node); return;
    }
}
