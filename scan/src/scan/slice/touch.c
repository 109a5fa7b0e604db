#include "scan/slice/slicing.h"

static const access_kind kinds[] = {
    [NAMED_PLACE] = ACCESS_PLACE,          [NAMED_OBJECT] = ACCESS_OBJECT,
    [NAMED_INDEX] = ACCESS_INDEX,          [NAMED_REACH] = ACCESS_REACH,
    [NAMED_ALONG] = ACCESS_ALONG,          [NAMED_PATH] = ACCESS_PATH,
    [NAMED_EVERYTHING] = ACCESS_EVERYTHING};

/* Copies an access of a task's touch function into the residue, unchanged. */
static void take_over(slicer *s, const ast_node *node, const call_named *named) {
    slice_value what = {0};
    if (named->what) what = slice_eval(s, named->what);
    residue_step *step = slice_step(s, STEP_ACCESS, node->place);
    step->access = kinds[named->kind];
    step->write = named->write;
    step->expr = what.known;
    step->shape = named->shape;
    step->node = node;
    if (named->kind == NAMED_PATH || named->kind == NAMED_ALONG)
        step->expr = NULL; /* the links are numbers, packed into one */
}

/* ---- scan.R13: SVS_TOUCH_OF, a touch function in the place of a body ---- */

/* Accesses the end of a path of links from an object: unchanged, if the path is known when the
 * instance starts. */
static void access_links(slicer *s, const ast_node *node, const slice_place *place) {
    residue_expr *values = place->owner.pointer;
    for (size_t i = 3; i < node->kids.count; i++) {
        slice_value value = slice_eval(s, node->kids.at[i]);
        values = values && value.known ? residue_make(true, "%E, %E", values, value.known) : NULL;
    }
    if (place->kind != PLACE_SHARED) return;
    if (!values || place->owner.kind != OWNER_OBJECT || s->links_set) {
        slice_everything(s, node,
                         place->why ? place->why
                                    : "what the links lead to is not known before the instance "
                                      "starts");
        return;
    }
    residue_step *step = slice_step(s, STEP_ACCESS, node->place);
    step->access = ACCESS_NAMED;
    step->write = scan_starts(node->kids.at[0]->text, "svs_writes");
    step->text = node->kids.at[0]->text;
    step->expr = values;
    step->shape = place->record ? place->record->name : NULL;
}

static void access_named(slicer *s, const ast_node *node, const call_named *named) {
    if (named->kind == NAMED_EVERYTHING || !named->what) {
        slice_everything(s, node, "a touch function of SVS_TOUCH_OF names everything");
        return;
    }
    slice_value what = slice_eval(s, named->what);
    if (what.null || !shape_is_pointer(what.shape)) return;
    slice_place place = slice_deref(s, &what, shape_inner(what.shape));
    if (named->kind == NAMED_PLACE || named->kind == NAMED_OBJECT)
        slice_access(s, &place, named->write, named->what);
    else if (named->kind != NAMED_INDEX) access_links(s, node, &place);
}

bool slice_touch_call(slicer *s, const ast_node *node) {
    call_named named = call_names(node);
    if (named.kind == NAMED_NOTHING) return false;
    if (s->touching) take_over(s, node, &named);
    else access_named(s, node, &named);
    return true;
}

slice_result slice_touch(scan_program *program, const scan_task *task) {
    slice_result result = {0};
    bool again = false;
    slice_walk(program, task, task->touch, &again, true, &result);
    return result;
}
