#include "scan/program/records.h"
#include "scan/slice/slicing.h"

enum { TEXT_MAX = 300 };

static const char *key_of(const scan_decl *decl) { return scan_text("%p", (const void *)decl); }

int slice_link_of(const scan_record *record, const scan_decl *field) {
    for (size_t i = 0; record && record->header && i < record->links.count; i++)
        if (record->links.at[i] && scan_same(record->links.at[i], field->name)) return (int)i;
    return -1;
}

/* Whether pointers of this shape that other pointers lead to are parts, in all structs. */
static bool leads_to_parts(const slicer *s, const char *shape) {
    const scan_record *to =
        shape_is_pointer(shape) ? shape_record(s->program, shape_inner(shape)) : NULL;
    if (!to || !to->parts) return false;
    for (size_t i = 0; i < s->program->record_list.count; i++) {
        const scan_record *record = s->program->record_list.at[i];
        for (size_t k = 0; k < record->fields.count; k++) {
            const scan_decl *field = record->fields.at[k];
            if (field->addressed && !field->part && scan_same(field->shape, shape)) return false;
        }
    }
    return true;
}

/* The owner of what a loaded pointer points to: the object at the end of a link, or the owner of a
 * part. */
static slice_owner target_of(slicer *s, const slice_place *place) {
    slice_owner target = {.kind = OWNER_NONE};
    int link;
    if (!place->decl && leads_to_parts(s, place->shape)) return place->owner;
    if (!place->decl || place->decl->kind != DECL_FIELD) return target;
    if (place->decl->part) {
        if (place->owner.kind != OWNER_NONE) return place->owner;
        target.kind = place->anchor ? OWNER_PLACE : OWNER_UNKNOWN;
        target.pointer = place->anchor;
        return target;
    }
    link = slice_link_of(place->record, place->decl);
    if (link < 0 || (place->owner.kind != OWNER_OBJECT && place->owner.kind != OWNER_PATH))
        return target;
    target = place->owner;
    target.kind = OWNER_PATH;
    target.links.mask |= 1u << link;
    target.late |= (s->links_set >> link & 1) != 0;
    slice_remember(s, &s->links_followed, 1u << link);
    if (target.links.count == PATH_MAX_LINKS) target.links.many = true;
    if (target.links.many)
        target.links.count = 0, memset(target.links.link, 0, sizeof target.links.link);
    else target.links.link[target.links.count++] = (unsigned char)link;
    return target;
}

static residue_expr *tests_of(const slice_place *place) {
    if (!place->within) return place->test;
    return place->test ? residue_make(false, "%e && %e", place->test, place->within)
                       : place->within;
}

static bool is_stable(slicer *s, const slice_place *place) {
    const scan_record *record = shape_record(s->program, place->shape);
    return slice_is_stable(s, place) &&
           (!record || place->stable || effects_record_stable(s->program, record));
}

/* R1, R6: the value of a place in stable memory. */
static residue_expr *known_load(slicer *s, const slice_place *place) {
    residue_expr *text = slice_text(place);
    if (!text || !is_stable(s, place) || shape_is_array(place->shape)) return NULL;
    if (!slice_is_risky(s)) return text;
    if (place->sure && !place->unsafe && !place->test && !place->within) return text;
    if (place->unsafe || strlen(text->text) > TEXT_MAX) return NULL;
    if (!place->test && !place->within) return text;
    if (shape_record(s->program, place->shape)) return NULL;
    return residue_make(false, "%e ? %e : 0", tests_of(place), text);
}

/* Records a stored value. A variable of the body, or a field of its structs, points to memory of
 * this instance when nothing else is ever stored there. `key`: the declaration, or the shape of
 * what is stored through a pointer. */
static void fill(slicer *s, const char *key, const slice_value *value) {
    void **fresh = scan_table_at(&s->fresh_fields, key);
    void *now = value->fresh && (!*fresh || *fresh == s) ? (void *)s : (void *)&s->changed;
    if (value->null || *fresh == now) return;
    *fresh = now;
    s->changed = true;
}

void slice_fill(slicer *s, const scan_decl *decl, const slice_value *value) {
    fill(s, key_of(decl), value);
}

void slice_spoil(slicer *s, const char *shape) {
    const scan_record *record = record_inside(s->program, shape);
    const slice_value elsewhere = {.shape = shape};
    for (size_t i = 0; record && i < record->fields.count; i++) {
        slice_fill(s, record->fields.at[i], &elsewhere);
        slice_spoil(s, record->fields.at[i]->shape);
    }
}

void slice_hand(slicer *s, const slice_value *value) {
    const slice_value elsewhere = {.shape = value->shape};
    const char *shape = value->shape;
    if (scan_same(shape, "void*") && value->real) shape = value->real;
    if (!shape_is_pointer(shape)) return;
    for (shape = shape_inner(shape); shape_is_array(shape);) shape = shape_inner(shape);
    slice_spoil(s, shape);
    if (shape_is_pointer(shape)) fill(s, shape, &elsewhere);
}

/* Whether a pointer in the body's own memory leads to memory that this instance has made. It does
 * when nothing else is ever stored there, directly or through a pointer of that type. */
static bool is_fresh(slicer *s, const slice_place *place) {
    void *direct = place->decl ? scan_table_get(&s->fresh_fields, key_of(place->decl)) : NULL;
    void *through = scan_table_get(&s->fresh_fields, place->shape);
    if (place->decl && slice_is_in_union(s, place->decl)) return false;
    return (direct == s && (!through || through == s)) || (!direct && through == s);
}

static slice_value load_private(slicer *s, const slice_place *place, slice_value value) {
    const char *why = "it is in a struct, an array or an addressed variable of the body";
    value.fresh = shape_is_pointer(place->shape) && is_fresh(s, place);
    if (place->text && !place->pointer && !place->open && !(place->unsafe && slice_is_risky(s)) &&
        !(place->within && slice_is_risky(s)) && !shape_is_array(place->shape) &&
        !shape_record(s->program, place->shape))
        value.known = place->text;
    if (!value.known && !value.why) value.why = why;
    return value;
}

slice_value slice_load(slicer *s, const slice_place *place, const ast_node *node) {
    slice_value value = {.shape = node->shape, .why = place->why};
    if (place->kind == PLACE_VARIABLE) return slice_read(s, place->variable, node->shape);
    if (place->kind == PLACE_PRIVATE) return load_private(s, place, value);
    const ast_node *lvalue = node->kind == AST_LOAD ? node->kids.at[0] : node;
    slice_access(s, place, false, lvalue);
    slice_spoil(s, place->shape);
    value.known = known_load(s, place);
    if (lvalue->is_volatile && !place->stable) value.known = NULL, value.why = "it is volatile";
    if (shape_is_pointer(node->shape)) {
        value.target = target_of(s, place);
        value.stable =
            place->stable && place->decl && place->decl->kind == DECL_FIELD && place->decl->part;
        if (value.known && value.target.kind == OWNER_PATH) value.target.kind = OWNER_NONE;
    }
    if (!value.known && !value.why)
        value.why = slice_is_stable(s, place)
                        ? "the body may not come to the load that it needs"
                        : scan_text("it depends on %s, which tasks write",
                                    place->decl ? place->decl->name : "memory");
    return value;
}

void slice_store(slicer *s, const slice_place *place, const slice_value *value,
                 const ast_node *to) {
    if (place->kind == PLACE_VARIABLE) {
        slice_assign(s, place->variable, value, false, to->place);
    } else if (place->kind == PLACE_PRIVATE) {
        fill(s, place->decl ? key_of(place->decl) : place->shape, value);
    } else {
        slice_access(s, place, true, to);
    }
}

slice_value slice_address(slicer *s, const slice_place *place, const char *shape) {
    slice_value value = {.shape = shape, .why = place->why};
    if (place->kind == PLACE_VARIABLE ||
        (place->kind == PLACE_PRIVATE && !place->pointer && !place->text)) {
        value.local = true;
        value.sure = true;
        return value;
    }
    if (slice_is_apart(place) && shape_record(s->program, place->shape) != place->record) {
        fill(s, place->shape, &(slice_value){0});
        value.local = value.sure = true;
        return value;
    }
    value.known = slice_address_text(place);
    if (shape_is_array(place->shape)) { /* the array's own address, or that of its first element */
        residue_expr *array = slice_text(place);
        bool own = scan_same(shape_inner(shape), place->shape);
        value.known = !array ? NULL : own ? residue_make(false, "&%e", array) : array;
    }
    if (slice_is_reserved(place->decl)) value.known = place->anchor;
    value.target = place->owner;
    value.sure = place->sure && !place->test;
    value.unsafe = place->unsafe;
    value.guard = place->test;
    value.fresh = place->kind == PLACE_PRIVATE;
    value.item = place->item;
    value.stable = place->stable;
    if (place->record && place->record->header && shape_is_pointer(shape) &&
        shape_record(s->program, shape_inner(shape)) == place->record && value.known)
        value.target = (slice_owner){OWNER_NONE};
    return value;
}
