#include "slicing.h"

enum { CALLS_MAX = 64, BOUND_MAX = 48 };

/* ---- functions without a body ---- */

static bool is_whole(slicer *s, const ast_node *call, const char *shape) {
    const ast_node *last = call->kids.at[call->kids.count - 1];
    (void)s;
    while (last->kind == AST_CAST) last = last->kids.at[0];
    return last->kind == AST_SIZE &&
           (last->kids.count ? scan_same(last->kids.at[0]->shape, shape)
                             : strstr(last->text, shape) != NULL || strstr(shape, last->text));
}

/* An argument through which a known function reads or writes. */
static void access_argument(slicer *s, const ast_node *call, const ast_node *argument,
                            slice_value *value, char use, bool single) {
    const char *shape = call_plain(argument)->shape, *inner;
    slice_place place;
    if (!shape_is_pointer(shape) || value->null) return;
    if (value->local || value->fresh) {
        if (use != 'r') slice_spoil(s, shape_inner(shape));
        return;
    }
    if (value->known && value->known->text[0] == '"') return;
    inner = shape_inner(shape);
    value->shape = shape;
    place = slice_deref(s, value, inner);
    if (use == 'r' && !place.record && effects_shape_stable(s->program, inner)) return;
    if (single || is_whole(s, call, inner)) slice_access(s, &place, use != 'r', call->place);
    else if (!place.item && (place.kind == PLACE_SHARED))
        slice_everything(s, call->place,
                         "how many bytes the call accesses is not known before; copy one struct "
                         "with sizeof, or loop over the elements");
}

static slice_value call_of_known(slicer *s, const ast_node *node, const known_call *known) {
    slice_value value = {.shape = node->shape, .why = scan_text("it comes from %s", known->name)};
    const char *text = "";
    bool all = true;
    for (size_t i = 1; i < node->kids.count; i++) {
        slice_value argument = slice_eval(s, node->kids.at[i]);
        char use = call_argument(known, i - 1);
        if (use != '-')
            access_argument(s, node, node->kids.at[i], &argument, use,
                            known->object || scan_starts(known->name, "svs_relaxed"));
        all = all && argument.known && argument.known->slots.count == 0;
        if (i == 1 && known->result == 'a') value.local = argument.local;
        if (argument.known)
            text = scan_text("%s%s%s", text, i > 1 ? ", " : "", argument.known->text);
    }
    if (known->result == 'f') value.fresh = true;
    if (known->result == 'p' && all && !scan_starts(known->name, "svs_"))
        value.known = residue_make(true, "%s(%s)", known->name, text);
    return value;
}

static slice_value call_of_builtin(slicer *s, const ast_node *node, const char *name) {
    slice_value value = slice_unknown(node->shape, "it comes from a builtin");
    for (size_t i = 1; i < node->kids.count; i++) {
        slice_value argument = slice_eval(s, node->kids.at[i]);
        if (i == 1 && scan_same(name, "__builtin_expect")) value = argument;
        if (shape_is_pointer(argument.shape) && !scan_same(name, "__builtin_prefetch") &&
            !argument.local)
            scan_error(node->place,
                       "svs scan does not know what %s accesses: put the call into a "
                       "function with SVS_TOUCHES_NOTHING",
                       name);
    }
    return value;
}

/* ---- calls of the library that the slice follows ---- */

/* R12: what a link is set to, with everything that the body may follow from there. */
static void access_child(slicer *s, const slice_value *child, scan_place at) {
    slice_place place = {.kind = PLACE_SHARED, .shape = shape_inner(child->shape)};
    if (child->null || child->fresh) return;
    place.owner = slice_owner_of(s, child);
    place.record = shape_record(s->program, place.shape);
    if (place.owner.kind == OWNER_OBJECT || place.owner.kind == OWNER_PATH) {
        unsigned mask = place.owner.links.mask | s->links_followed;
        place.owner.kind = OWNER_PATH;
        place.owner.links = (residue_links){.many = true, .mask = mask};
    } else {
        place.owner.kind = OWNER_UNKNOWN;
    }
    slice_access(s, &place, true, at);
}

/* svs_link(): a write of the parent. */
static slice_value call_of_link(slicer *s, const ast_node *node) {
    const ast_node *field = call_plain(node->kids.at[2]);
    unsigned mask = ~0u;
    slice_place place = {.kind = PLACE_SHARED};
    if (field->kind == AST_UNARY && field->kids.count) {
        place = slice_lvalue(s, field->kids.at[0]);
        int link = slice_link_of(place.record, place.decl);
        if (link >= 0) mask = 1u << link;
        slice_access(s, &place, true, node->place);
    } else {
        scan_error(node->place, "svs_link_assign() with a field that is not named here: use "
                                "svs_link(parent, link, child)");
    }
    slice_value child = slice_eval(s, call_plain(node->kids.at[3]));
    if (place.kind == PLACE_PRIVATE && place.decl) slice_fill(s, place.decl, &child);
    if (s->follows_late) access_child(s, &child, node->place);
    slice_sets_links(s, mask);
    return slice_unknown(node->shape, "it is a status");
}

/* SVS_NEW(): a pointer to memory of this instance. */
static slice_value call_of_new(slicer *s, const ast_node *node) {
    const ast_node *to = call_plain(node->kids.at[node->kids.count - 1]);
    if (to->kind == AST_UNARY && scan_same(to->text, "&")) {
        slice_place place = slice_lvalue(s, to->kids.at[0]);
        slice_value made = {
            .shape = to->kids.at[0]->shape, .fresh = true, .why = "it is made by the body"};
        slice_store(s, &place, &made, node->place);
    } else {
        slice_value pointer = slice_eval(s, to);
        slice_place place = slice_deref(s, &pointer, shape_inner(pointer.shape));
        slice_value made = {.shape = place.shape, .fresh = true, .why = "it is made by the body"};
        slice_store(s, &place, &made, node->place);
    }
    return slice_unknown(node->shape, "it is a status");
}

static slice_value call_each(slicer *s, const call_targets *targets, const ast_node *node,
                             const slice_value *values, size_t count);

/* R12: an async may run behind what the body does later. */
static void spawns(slicer *s) {
    if (!s->asyncs) s->asyncs = s->changed = true;
}

/* svs_async(), svs_finish(): under the serial elision, calls. */
static slice_value call_of_async(slicer *s, const ast_node *node) {
    slice_value function = slice_eval(s, node->kids.at[2]), values[2];
    call_targets targets = {0};
    spawns(s);
    values[0] = slice_eval(s, node->kids.at[1]);
    values[1] = slice_eval(s, node->kids.at[3]);
    if (function.function) {
        SCAN_ADD(&targets.functions, function.function);
    } else {
        targets = call_targets_of(s->program, node->kids.at[2]);
    }
    call_each(s, &targets, node, values, 2);
    return slice_unknown(node->shape, NULL);
}

/* ---- functions with a body ---- */

static bool is_pure(slicer *s, const scan_decl *function, int depth);

static bool is_pure_node(slicer *s, const ast_node *node, int depth) {
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
        if (scan_same(node->text, "++") || scan_same(node->text, "--")) return false;
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
        if (!node->decl) return false;
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
           is_pure_node(s, function->body, depth);
}

/* A helper that only works out a value from stable memory is called by the touch function, too. */
static bool may_call(slicer *s, scan_decl *function, const slice_value *values, size_t count) {
    const char *result = shape_inner(function->shape);
    bool seen = scan_table_get(&s->task->unit->visible, function->name) &&
                (!function->is_static || function->unit == s->task->unit);
    size_t length = strcspn(function->type, "(");
    if (!seen || slice_is_risky(s) || !is_pure(s, function, 0)) return false;
    if (length == 0 || scan_starts(function->type, "void (")) return false;
    if (memchr(function->type, '*', length)) return false; /* its owner would be lost */
    (void)result;
    for (size_t i = 0; i < count; i++)
        if (!values[i].known || values[i].unsafe) return false;
    return true;
}

static slice_value call_text(slicer *s, scan_decl *function, const ast_node *node,
                             const slice_value *values, size_t count) {
    slice_value value = {.shape = node->shape};
    residue_expr *arguments = residue_make(true, "");
    for (size_t i = 0; i < count; i++)
        arguments = residue_make(true, i ? "%E, %E" : "%E%E", arguments, values[i].known);
    value.known = residue_make(true, "%s(%E)", function->name, arguments);
    slice_spoil(s, node->shape);
    return value;
}

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
        function->touched || scan_starts(function->type, "void (") ||
        shape_record(s->program, shape_inner(shape_inner(function->shape)));
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
    value.known = slice_converted(given);
    value.convert = NULL;
    value.shape = parameter->shape;
    variable->slot->level = variable->root->level = s->level;
    variable->is_bound = /* NULL->field is no C */
        !changes && !given->null && (!value.known || strlen(value.known->text) <= BOUND_MAX);
    if (variable->is_bound) variable->bound = value;
    else slice_assign(s, variable, &value, true, at);
}

/* SVS_ASYNC_FUNCTION(): under the serial elision, its asyncs are calls of this function. */
static bool is_typed_async(const scan_decl *function) {
    size_t length = strlen(function->name);
    return length > 6 && scan_same(function->name + length - 6, "_body_");
}

slice_value slice_enter(slicer *s, scan_decl *function, const void *site, const slice_value *values,
                        size_t count, scan_place at) {
    slice_construct call = {
        .outer = s->construct, .kind = CONSTRUCT_CALL, .dropped_ifs = s->dropped_ifs};
    slice_value result = slice_unknown(shape_inner(shape_inner(function->shape)), NULL);
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
    frame = frame_of(s, function, site);
    if (frame->recursive) slice_sets_links(s, frame->links_set);
    if (is_typed_async(function)) spawns(s);
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

static slice_value call_each(slicer *s, const call_targets *targets, const ast_node *node,
                             const slice_value *values, size_t count) {
    slice_value result = slice_unknown(node->shape, "it comes from a call through a pointer");
    if (targets->functions.count == 1) {
        scan_decl *function = targets->functions.at[0];
        if (!function->body) return result;
        if (may_call(s, function, values, count))
            return call_text(s, function, node, values, count);
        result = slice_enter(s, function, node, values, count, node->place);
        result.shape = node->shape;
        return result;
    }
    for (size_t i = 0; i < targets->functions.count; i++) {
        slice_doubt before = slice_drop_if(s, "one of several functions is called");
        slice_enter(s, targets->functions.at[i], node, values, count, node->place);
        slice_keep_if(s, before);
    }
    return result;
}

static slice_value call_of_body(slicer *s, const ast_node *node, call_targets *targets) {
    const ast_node *callee = node->kids.at[0];
    slice_value values[32];
    size_t count = 0;
    if (!targets->name) { /* R10, unless the pointer is known to be one function */
        slice_value function = slice_eval(s, callee);
        if (function.function && function.function->body) {
            targets->functions.count = 0;
            SCAN_ADD(&targets->functions, function.function);
        } else if (!targets->functions.count) {
            scan_error(node->place, "a call through a pointer, to a type of function that no file "
                                    "of the scan uses as a value: scan the file that does");
        }
    }
    for (size_t i = 1; i < node->kids.count; i++) {
        slice_value value = slice_eval(s, node->kids.at[i]);
        if (count < 32) values[count++] = value;
    }
    return call_each(s, targets, node, values, count);
}

slice_value slice_call(slicer *s, const ast_node *node) {
    call_targets targets = call_targets_of(s->program, node->kids.at[0]);
    const char *name = targets.name ? targets.name : "";
    const scan_decl *callee = node->kids.at[0]->decl;
    if (callee && callee->kind == DECL_FUNCTION && callee->quiet) {
        for (size_t i = 1; i < node->kids.count; i++) slice_eval(s, node->kids.at[i]);
        return slice_unknown(node->shape, scan_text("it comes from %s", name));
    }
    if (scan_same(name, "svs__scan_stable")) return slice_unknown(node->shape, NULL);
    if (slice_touch_call(s, node)) return slice_unknown(node->shape, NULL);
    if (scan_same(name, "svs_link_assign")) return call_of_link(s, node);
    if (call_makes_object(node)) return call_of_new(s, node);
    if (call_is_async(node)) return call_of_async(s, node);
    if (targets.known) return call_of_known(s, node, targets.known);
    if (scan_starts(name, "__builtin_") && !targets.functions.count)
        return call_of_builtin(s, node, name);
    if (*name && !targets.functions.count) {
        scan_error(node->place,
                   scan_starts(name, "svs_")
                       ? "svs scan does not follow %s in a body%.0s"
                       : "calls %s, and its body is not seen: scan its file, too, or say "
                         "SVS_TOUCHES_NOTHING(%s)",
                   name, name);
        return slice_unknown(node->shape, "its body is not seen");
    }
    return call_of_body(s, node, &targets);
}
