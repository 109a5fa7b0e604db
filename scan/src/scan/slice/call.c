#include "scan/slice/slicing.h"

enum { ARGUMENTS_MAX = 32 };

slice_value slice_call_each(slicer *s, const call_targets *targets, const ast_node *node,
                            const slice_value *values, size_t count) {
    slice_value result = slice_unknown(node->shape, "it comes from a call through a pointer");
    if (targets->functions.count == 1) {
        scan_decl *function = targets->functions.at[0];
        if (!function->body) return result;
        if (slice_may_call(s, function, values, count))
            return slice_call_text(s, function, node, values, count);
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
    slice_value values[ARGUMENTS_MAX];
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
        if (count < ARGUMENTS_MAX) values[count++] = slice_eval(s, node->kids.at[i]);
        else scan_error(node->place, "a call with more than %d arguments", ARGUMENTS_MAX);
    }
    return slice_call_each(s, targets, node, values, count);
}

slice_value slice_call(slicer *s, const ast_node *node) {
    call_targets targets = call_targets_of(s->program, node->kids.at[0]);
    const char *name = targets.name ? targets.name : "";
    const scan_decl *callee = node->kids.at[0]->decl;
    if (callee && !callee->quiet) slice_check(callee, node->place);
    if (callee && callee->kind == DECL_FUNCTION && callee->quiet) {
        for (size_t i = 1; i < node->kids.count; i++) {
            slice_value argument = slice_eval(s, node->kids.at[i]);
            slice_hand(s, &argument);
        }
        slice_spoil(s, node->shape);
        return slice_unknown(node->shape, scan_text("it comes from %s", name));
    }
    if (scan_same(name, "svs__scan_stable")) return slice_unknown(node->shape, NULL);
    if (slice_touch_call(s, node)) return slice_unknown(node->shape, NULL);
    if (call_is_link(node)) return slice_link_call(s, node);
    if (call_makes_object(node)) return slice_new_call(s, node);
    if (call_is_async(node)) return slice_async_call(s, node);
    if (targets.known) return slice_known_call(s, node, targets.known);
    if (scan_starts(name, "__builtin_") && !targets.functions.count)
        return slice_builtin_call(s, node, name);
    if (*name && !targets.functions.count) {
        if (scan_starts(name, "svs_"))
            scan_error(node->place, "svs scan does not follow %s in a body", name);
        return slice_unknown(node->shape, "its body is not seen");
    }
    return call_of_body(s, node, &targets);
}
