#include "scan/program/records.h"
#include "scan/slice/slicing.h"

static residue_step *widen(slicer *s, const ast_node *at, const char *why) {
    residue_step *step = slice_step(s, STEP_ACCESS, at->place);
    step->access = ACCESS_EVERYTHING;
    step->perhaps = why ? why : "the address is not known before";
    step->write = true;
    s->result->everything++;
    slice_note_at(s, at->place, "names everything: %s", step->perhaps);
    return step;
}

void slice_everything(slicer *s, const ast_node *at, const char *why) {
    if (!s->touching) widen(s, at, why)->node = at;
}

static void access_owner(slicer *s, const slice_place *place, bool write, const ast_node *at) {
    const slice_owner *owner = &place->owner;
    if (owner->late && !s->follows_late) s->follows_late = s->changed = true;
    if (owner->kind == OWNER_UNKNOWN || !owner->pointer) {
        const char *type = place->record ? place->record->name : "memory";
        const char *why =
            place->why ? place->why : scan_text("the owner of this %s is not known before", type);
        if (place->record && place->record->header) slice_everything(s, at, why);
        else (void)widen(s, at, why);
        return;
    }
    residue_step *step = slice_step(s, STEP_ACCESS, at->place);
    step->write = write;
    step->expr = owner->pointer;
    step->shape = place->record ? place->record->name : NULL;
    step->links = owner->links;
    step->access = owner->kind == OWNER_PLACE    ? ACCESS_PLACE
                   : owner->kind == OWNER_OBJECT ? ACCESS_OBJECT
                   : owner->links.many           ? ACCESS_ALONG
                                                 : ACCESS_PATH;
    if (step->access == ACCESS_PATH && !step->links.count) step->access = ACCESS_OBJECT;
    if (step->access == ACCESS_ALONG) step->perhaps = "which object it is depends on links";
    if (step->access == ACCESS_ALONG)
        slice_note_at(s, at->place,
                      "widened to everything along links: which object it is depends on "
                      "links that tasks change");
}

static void access_address(slicer *s, residue_expr *address, const slice_place *place, bool write,
                           const ast_node *at) {
    residue_step *step;
    if (!address) {
        slice_everything(s, at, place->why);
        return;
    }
    if (place->test && slice_is_risky(s)) { /* R6: a pointer to nothing leads to no access */
        residue_step *guard = slice_step(s, STEP_IF, at->place);
        residue_block *outside = s->out;
        guard->expr = place->test;
        s->out = &guard->inner[0];
        step = slice_step(s, STEP_ACCESS, at->place);
        s->out = outside;
    } else {
        step = slice_step(s, STEP_ACCESS, at->place);
    }
    step->access = ACCESS_PLACE;
    step->write = write;
    step->expr = address;
    step->shape = place->record ? place->record->name : place->shape;
}

/* Whether only this task's own functions may change the field of an item: an item belongs to its
 * instance. */
static bool is_written_here(const slicer *s, const scan_decl *field) {
    size_t number = 0;
    while (s->program->tasks.at[number] != s->task) number++;
    return (field->taken && field->taken[number]) || !field->uses || field->uses[number] > 1;
}

bool slice_is_in_union(const slicer *s, const scan_decl *field) {
    bool deep = false;
    return field->of && (field->of->is_union || record_in_union(s->program, field->of, &deep));
}

bool slice_is_stable(slicer *s, const slice_place *place) {
    if (place->stable) return true;
    if (place->item && place->decl && place->decl->kind == DECL_FIELD &&
        !shape_record(s->program, place->shape) && !slice_is_in_union(s, place->decl) &&
        !is_written_here(s, place->decl))
        return true;
    if (place->decl && (place->decl->kind == DECL_GLOBAL || place->decl->kind == DECL_FIELD))
        return effects_stable(s->program, place->decl);
    return effects_shape_stable(s->program, place->shape);
}

/* Accesses a whole struct by its own identity, those of the structs in it, and those of its
 * addressed fields. */
static void access_record(slicer *s, const slice_place *place, bool write, const ast_node *at) {
    scan_record *record = shape_record(s->program, place->shape);
    if (!record) return;
    if (place->owner.kind != OWNER_NONE) {
        access_owner(s, place, write, at);
        return;
    }
    if (!record->split) access_address(s, place->anchor, place, write, at);
    for (size_t i = 0; i < record->fields.count && !record->is_union; i++) {
        scan_decl *field = record->fields.at[i];
        const char *shape = field->shape;
        ast_node name = {.decl = field, .shape = shape};
        slice_place inner = slice_member(s, *place, &name);
        if (shape_is_array(shape) && (record_inside(s->program, shape) || field->addressed)) {
            slice_everything(s, at, "a struct with an array of structs is copied");
        } else if (!shape_is_array(shape) && shape_record(s->program, shape)) {
            access_record(s, &inner, write, at);
        } else if (field->addressed || (record->split && field->leader == field)) {
            access_address(s, inner.anchor, &inner, write, at);
        }
    }
}

bool slice_is_apart(const slice_place *place) {
    return place->kind == PLACE_SHARED && place->record &&
           (place->record->per_worker || place->record->per_item);
}

void slice_access(slicer *s, const slice_place *place, bool write, const ast_node *at) {
    if (place->kind != PLACE_SHARED || place->item || s->touching) return;
    if (slice_is_apart(place)) return;
    if (!write && !shape_record(s->program, place->shape) && slice_is_stable(s, place)) return;
    if (write && place->stable)
        scan_error(at->place, "a task writes what SVS_STABLE says that none writes");
    if (shape_record(s->program, place->shape)) access_record(s, place, write, at);
    else if (place->owner.kind != OWNER_NONE) access_owner(s, place, write, at);
    else access_address(s, place->anchor, place, write, at);
}
