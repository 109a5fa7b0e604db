#include "scan/slice/slicing.h"

enum { CALLS_MAX = 64, BOUND_MAX = 48 };

static size_t count_returns(const ast_node *node) {
    size_t count = node->kind == AST_RETURN;
    for (size_t i = 0; i < node->kids.count; i++) count += count_returns(node->kids.at[i]);
    return count;
}

static bool returns_once(const ast_node *body) {
    return body->kids.count && body->kids.at[body->kids.count - 1]->kind == AST_RETURN &&
           count_returns(body) == 1;
}

static slice_frame *frame_of(slicer *s, scan_decl *function, const void *site) {
    void **slot = scan_table_at(&s->frame->calls, scan_text("%p %p", site, (void *)function));
    slice_frame *frame = *slot;
    size_t length = strcspn(function->type, "(");
    if (frame) return frame;
    *slot = frame = SCAN_NEW(slice_frame);
    frame->outer = s->frame;
    frame->function = function;
    frame->direct = returns_once(function->body);
    while (length && function->type[length - 1] == ' ') length--;
    frame->result.slot = slice_slot(s, scan_text("%s_result", function->name),
                                    scan_text("%.*s", (int)length, function->type));
    frame->result.root = slice_slot(s, scan_text("%s_owner", function->name), "const void *");
    frame->result.slot->unknown =
        function->touched || function->type[strcspn(function->type, "(") + 1] == '*' ||
        !slice_spells(s, frame->result.slot->type, shape_inner(function->shape)) ||
        scan_starts(function->type, "void (") ||
        shape_record(s->program, shape_inner(function->shape));
    return frame;
}

/* R9 */
static void join_call(slicer *s, slice_frame *frame, const slice_value *values, size_t count,
                      scan_place at) {
    slice_frame *before = s->frame;
    if (!frame->recursive) frame->recursive = s->changed = true;
    s->frame = frame;
    for (size_t i = 0; i < frame->function->parameters.count && i < count; i++) {
        slice_variable *variable = slice_variable_of(s, frame->function->parameters.at[i]);
        slice_value value = values[i];
        bool same =
            value.target.pointer && scan_same(value.target.pointer->text, variable->root->name);
        value.known = NULL;
        value.why = "it is a parameter of a recursive function";
        if (!same && value.target.kind != OWNER_NONE) value.target.kind = OWNER_UNKNOWN;
        slice_assign(s, variable, &value, false, at);
    }
    s->frame = before;
}

static void bind(slicer *s, slice_frame *frame, size_t number, const slice_value *given,
                 scan_place at) {
    const scan_decl *parameter = frame->function->parameters.at[number];
    slice_variable *variable = slice_variable_of(s, parameter);
    slice_value value = *given;
    bool changes = parameter->assigned || parameter->addressed || frame->recursive;
    if (!shape_is_pointer(parameter->shape)) {
        value.known = slice_converted(given);
        value.convert = NULL;
    }
    value.shape = parameter->shape;
    variable->slot->level = variable->root->level = s->level;
    variable->is_bound = /* NULL->field is not valid C */
        !changes && !given->null && (!value.known || strlen(value.known->text) <= BOUND_MAX);
    if (variable->is_bound) variable->bound = value;
    else slice_assign(s, variable, &value, true, at);
}

/* Whether a function is made by SVS_ASYNC_FUNCTION(): under the serial elision, its asyncs are
 * calls of this function. */
static bool is_typed_async(const scan_decl *function) {
    size_t length = strlen(function->name);
    return length > 6 && scan_same(function->name + length - 6, "_body_");
}

slice_value slice_enter(slicer *s, scan_decl *function, const void *site, const slice_value *values,
                        size_t count, scan_place at) {
    slice_construct call = {
        .outer = s->construct, .kind = CONSTRUCT_CALL, .dropped_ifs = s->dropped_ifs};
    slice_value result = slice_unknown(shape_inner(function->shape), NULL);
    slice_frame *frame;
    for (slice_frame *f = s->frame; f; f = f->outer) {
        if (f->function != function) continue;
        join_call(s, f, values, count, at);
        slice_remember(s, &f->links_set, s->links_set);
        return slice_unknown(result.shape, "it comes from a recursive call");
    }
    if (s->depth == CALLS_MAX) {
        scan_error(at, "calls are nested more than %d deep: svs scan follows no further",
                   CALLS_MAX);
        return result;
    }
    slice_check(function, at);
    frame = frame_of(s, function, site);
    if (frame->recursive) slice_sets_links(s, frame->links_set);
    if (is_typed_async(function)) slice_spawns(s);
    frame->result.slot->level = frame->result.root->level = s->level;
    call.level = ++s->level;
    s->frame = frame;
    for (size_t i = 0; i < function->parameters.count && i < count; i++)
        bind(s, frame, i, &values[i], at);
    s->construct = &call;
    s->depth++;
    frame->returned = result;
    for (size_t i = 0; i < function->body->kids.count; i++)
        slice_statement(s, function->body->kids.at[i]);
    s->depth--;
    s->construct = call.outer;
    if (call.out) slice_step(s, STEP_LABEL, at)->text = call.out;
    s->level--;
    if (function->touched) frame->result.why = scan_text("it comes from %s", function->name);
    for (size_t i = 0; function->touched && i < count; i++) slice_hand(s, &values[i]);
    if (function->touched) slice_spoil(s, result.shape);
    result = frame->direct ? frame->returned : slice_read(s, &frame->result, result.shape);
    s->frame = frame->outer;
    return result;
}

void slice_return(slicer *s, const ast_node *node) {
    slice_value value = {0};
    slice_construct *c = s->construct;
    if (node->kids.count) value = slice_eval(s, node->kids.at[0]);
    if (node->kids.count && s->frame->direct) {
        value.known = slice_converted(&value);
        value.convert = NULL;
        s->frame->returned = value;
        return;
    }
    if (node->kids.count) slice_assign(s, &s->frame->result, &value, false, node->place);
    while (c && c->kind != CONSTRUCT_CALL) c = c->outer;
    if (!c) return;
    if (slice_keeps_jump(s, c, false)) {
        if (!c->out) c->out = scan_text("end_%u", ++s->labels);
        slice_step(s, STEP_GOTO, node->place)->text = c->out;
        return;
    }
    c->left = true; /* R4 */
    for (slice_construct *inner = s->construct; inner != c; inner = inner->outer) {
        inner->left = true;
        if (inner->remember && !*inner->remember) *inner->remember = s->changed = true;
    }
}
