#include "scan/slice/slicing.h"

/* Adds the access of an argument through which a known function reads or writes. */
static void access_argument(slicer *s, const ast_node *call, const known_call *callee,
                            const ast_node *argument, slice_value *value, char use) {
    const ast_node *plain = call_plain(argument);
    const char *shape = plain->shape, *inner;
    slice_place place;
    if (!shape_is_pointer(shape) || value->null) return;
    if (value->local || value->fresh) {
        if (use != 'r') slice_hand(s, value);
        return;
    }
    if (value->known && value->known->text[0] == '"') return;
    inner = shape_inner(shape);
    value->shape = shape;
    value->convert = NULL;
    place = slice_deref(s, value, inner);
    if (slice_is_apart(&place)) return;
    if (use == 'r' && !place.record && effects_shape_stable(s->program, inner)) return;
    if (call_is_whole(call, callee, inner) && !shape_is_array(inner))
        slice_access(s, &place, use != 'r', plain);
    else if (!place.item && (place.kind == PLACE_SHARED))
        slice_everything(s, plain,
                         "how many bytes the call accesses is not known before; copy one struct "
                         "with sizeof, or loop over the elements");
}

slice_value slice_known_call(slicer *s, const ast_node *node, const known_call *known) {
    slice_value value = {.shape = node->shape, .why = scan_text("it comes from %s", known->name)};
    const char *text = "";
    bool all = true;
    for (size_t i = 1; i < node->kids.count; i++) {
        slice_value argument = slice_eval(s, node->kids.at[i]);
        char use = call_argument(known, node, i);
        if (strchr("rwb", use)) access_argument(s, node, known, node->kids.at[i], &argument, use);
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

slice_value slice_builtin_call(slicer *s, const ast_node *node, const char *name) {
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
        slice_hand(s, &argument);
    }
    return value;
}

/* ---- calls of the library that the slice follows ---- */

/* R12: accesses what a link is set to, and everything that the body may follow from there. */
static void access_child(slicer *s, const slice_value *child, const ast_node *at) {
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

/* Follows svs_link(): a write of the parent. */
slice_value slice_link_call(slicer *s, const ast_node *node) {
    const ast_node *field = call_plain(node->kids.at[2]);
    unsigned mask = ~0u;
    slice_place place = {.kind = PLACE_SHARED};
    if (field->kind == AST_UNARY && field->kids.count) {
        place = slice_lvalue(s, field->kids.at[0]);
        int link = slice_link_of(place.record, place.decl);
        if (link >= 0) mask = 1u << link;
        slice_access(s, &place, true, field->kids.at[0]);
    } else {
        scan_error(node->place, "svs_link_assign() with a field that is not named here: use "
                                "svs_link(parent, link, child)");
    }
    slice_value child = slice_eval(s, call_plain(node->kids.at[3]));
    if (place.kind == PLACE_PRIVATE && place.decl) slice_fill(s, place.decl, &child);
    if (s->follows_late) access_child(s, &child, node->kids.at[3]);
    slice_sets_links(s, mask);
    return slice_unknown(node->shape, "it is a status");
}

/* Follows SVS_NEW(): the value is a pointer to memory of this instance. */
slice_value slice_new_call(slicer *s, const ast_node *node) {
    const ast_node *to = call_plain(node->kids.at[node->kids.count - 1]);
    if (to->kind == AST_UNARY && scan_same(to->text, "&")) {
        slice_place place = slice_lvalue(s, to->kids.at[0]);
        slice_value made = {
            .shape = to->kids.at[0]->shape, .fresh = true, .why = "it is made by the body"};
        slice_store(s, &place, &made, to->kids.at[0]);
    } else {
        slice_value pointer = slice_eval(s, to);
        slice_place place = slice_deref(s, &pointer, shape_inner(pointer.shape));
        slice_value made = {.shape = place.shape, .fresh = true, .why = "it is made by the body"};
        slice_store(s, &place, &made, to);
    }
    return slice_unknown(node->shape, "it is a status");
}

void slice_spawns(slicer *s) {
    if (!s->asyncs) s->asyncs = s->changed = true;
}

/* Follows svs_async() and svs_finish(): under the serial elision they are calls. */
slice_value slice_async_call(slicer *s, const ast_node *node) {
    slice_value function = slice_eval(s, node->kids.at[2]), values[2];
    call_targets targets = {0};
    slice_spawns(s);
    values[0] = slice_eval(s, node->kids.at[1]);
    values[1] = slice_eval(s, node->kids.at[3]);
    if (function.function) {
        SCAN_ADD(&targets.functions, function.function);
    } else {
        targets = call_targets_of(s->program, node->kids.at[2]);
    }
    slice_call_each(s, &targets, node, values, 2);
    return slice_unknown(node->shape, NULL);
}
