#include "scan/slice/slicing.h"

/* An argument through which a known function reads or writes. */
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
