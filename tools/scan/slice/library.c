#include "scan/slice/slicing.h"

/* R12: what a link is set to, with everything that the body may follow from there. */
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

/* svs_link(): a write of the parent. */
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

/* SVS_NEW(): a pointer to memory of this instance. */
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

/* svs_async(), svs_finish(): under the serial elision, calls. */
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
