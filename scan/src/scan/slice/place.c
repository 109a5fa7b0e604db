#include "scan/program/fold.h"
#include "scan/program/records.h"
#include "scan/program/shape.h"
#include "scan/slice/slicing.h"
#include <stdlib.h>

static const slice_owner unknown_owner = {.kind = OWNER_UNKNOWN};

static slice_owner object_at(slicer *s, const slice_value *pointer, const char *header) {
    slice_owner owner = {.kind = OWNER_OBJECT};
    residue_expr *known = pointer->known, *guard = pointer->guard ? pointer->guard : known;
    if (pointer->sure || !slice_is_risky(s))
        owner.pointer = residue_make(false, "&%e->%s", known, header);
    else owner.pointer = residue_make(false, "%e ? &%e->%s : NULL", guard, known, header);
    return owner;
}

residue_expr *slice_text(const slice_place *place) {
    if (place->pointer && place->pointer->lvalue) return place->pointer->lvalue;
    if (place->pointer) return residue_make(false, "*%e", place->pointer);
    return place->open ? NULL : place->text;
}

residue_expr *slice_address_text(const slice_place *place) {
    if (place->pointer) return place->pointer;
    if (!place->text || place->open) return NULL;
    residue_expr *address =
        residue_make(false, shape_is_array(place->shape) ? "%e" : "&%e", place->text);
    if (!shape_is_array(place->shape)) address->lvalue = place->text;
    return address;
}

/* The name of a part of a struct: the address of its leader. */
static residue_expr *part_address(const slice_place *in, const scan_decl *leader) {
    if (in->pointer) return residue_make(false, "&%e->%s", in->pointer, leader->name);
    if (in->text && !in->open) return residue_make(false, "&%e.%s", in->text, leader->name);
    return NULL;
}

/* ---- scan.I1: the identity of a place, by object, fields and indices ---- */

static slice_owner header_of(const slice_place *place, const scan_record *record) {
    if (!place->text) return unknown_owner;
    return (slice_owner){.kind = OWNER_OBJECT,
                         .pointer =
                             residue_make(false, "&%e.%s", place->text, record->header->name)};
}

static void widen(slice_place *place, const char *why) {
    place->owner = unknown_owner;
    if (!place->why) place->why = why;
}

/* Names a struct or union that is a variable, a member or an element: the innermost one names its
 * parts. `united`: the place is a member of a union, and the union names it. */
static void name_record(slicer *s, slice_place *place, scan_record *inner, bool united) {
    const bool owned = place->owner.kind != OWNER_NONE;
    if (inner->header) {
        const bool object = !owned || (place->owner.kind == OWNER_OBJECT && place->text);
        place->owner = object ? header_of(place, inner) : unknown_owner;
        place->record = inner;
    } else if (!owned) {
        place->record = inner;
        if (record_is_punned(s->program, inner))
            widen(place, "it is a union, and the address of a part of it is taken");
        else if (!united) place->anchor = slice_address_text(place);
    }
}

/* Whether a field is the first member of a struct of the C implementation: the headers that the
 * compiler reads may have another name for it. */
bool slice_is_reserved(const scan_decl *field) {
    return field && field->of && field->of->fields.at[0] == field && *field->name == '_';
}

/* Names a member that is not a struct. The struct names it, unless the member's own address is
 * taken, or two tasks distinguish it from other members. */
static void name_member(slicer *s, const slice_place *in, slice_place *place) {
    bool deep = false, in_a_union = in->record && in->record->is_union;
    bool shared = in->record && (in_a_union || record_in_union(s->program, in->record, &deep));
    scan_record *inner = shape_record(s->program, place->shape);
    const bool owned = place->owner.kind != OWNER_NONE;
    if (!owned && shared &&
        (place->decl->addressed || deep ||
         (record_inside(s->program, place->shape) &&
          (!in_a_union || shape_is_array(place->shape)))))
        widen(place, "it is inside of a union, and other members are named by other addresses");
    else if (inner) name_record(s, place, inner, in_a_union);
    else if (!owned && place->decl->addressed)
        place->anchor = slice_address_text(slice_is_reserved(place->decl) ? in : place);
    else if (!owned && in->record && in->record->split && place->decl->leader)
        place->anchor = part_address(in, place->decl->leader);
}

/* Names an element that is not a struct. It has its own name if a pointer may lead to it: one leads
 * to its array, or the address of its array is taken. Elements of a variable have their own names
 * too, unless some task accesses one that is unknown: then the array is one place. Elements of all
 * other arrays have the name of the struct. */
static void name_element(slicer *s, const slice_place *array, slice_place *place) {
    const bool global = array->decl && array->decl->kind == DECL_GLOBAL && !array->record;
    scan_record *inner = shape_record(s->program, place->shape);
    if (inner) {
        place->anchor = NULL;
        if (inner->header) place->owner = header_of(place, inner), place->record = inner;
        else name_record(s, place, inner, false);
        if (place->owner.kind != OWNER_NONE) place->record = inner;
    } else if (global && array->decl->whole) {
        place->anchor = array->anchor;
    } else if (global && !place->text && !array->decl->addressed && place->kind == PLACE_SHARED) {
        array->decl->whole = *s->again = true;
    } else if (global || !array->decl || array->decl->addressed) {
        place->anchor =
            place->text
                ? residue_make(false, shape_is_array(place->shape) ? "%e" : "&%e", place->text)
                : NULL;
    }
}

/* Names what a pointer leads to: the address of the place is the pointer. */
static void name_target(slicer *s, slice_place *place, const slice_value *pointer) {
    const bool owned = place->owner.kind != OWNER_NONE;
    bool deep = false;
    if (place->record && place->record->header && pointer->known)
        place->owner = object_at(s, pointer, place->record->header->name);
    else if (place->record && !owned && place->record->parts) place->owner = unknown_owner;
    if (place->owner.kind == OWNER_NONE && place->kind == PLACE_SHARED && !place->item &&
        record_may_own(s->program, place->shape))
        place->owner = unknown_owner;
    if (!place->record || place->record->header) return;
    if (record_in_union(s->program, place->record, &deep) && deep) place->owner = unknown_owner;
    if (place->owner.kind == OWNER_NONE && record_is_punned(s->program, place->record))
        widen(place, "it is a union, and the address of a part of it is taken");
}

slice_place slice_deref(slicer *s, const slice_value *to, const char *shape) {
    slice_value pointer = *to;
    slice_place place = {.kind = PLACE_SHARED, .shape = shape, .why = to->why};
    pointer.known = slice_converted(to);
    if (pointer.fresh || pointer.local) place.kind = PLACE_PRIVATE;
    place.record = shape_record(s->program, shape);
    place.pointer = place.anchor = pointer.known;
    place.owner = pointer.target;
    place.sure = pointer.sure;
    place.item = pointer.item;
    place.stable = pointer.stable;
    if (!pointer.sure) place.test = pointer.guard ? pointer.guard : pointer.known;
    place.unsafe = pointer.unsafe;
    name_target(s, &place, &pointer);
    return place;
}

/* A struct of the body as a value: its members are read. */
static slice_place value_place(slicer *s, const slice_place *in) {
    slice_place place = {
        .kind = PLACE_PRIVATE, .shape = in->shape, .decl = in->decl, .sure = true, .why = in->why};
    slice_value value = slice_read(s, in->variable, in->shape);
    place.record = shape_record(s->program, in->shape);
    place.text = value.known;
    if (!value.known) place.why = value.why;
    return place;
}

slice_place slice_member(slicer *s, slice_place in, const ast_node *node) {
    slice_place place = in;
    const char *name;
    if (!node->decl) {
        place.pointer = place.text = place.anchor = NULL;
        return place;
    }
    slice_check(node->decl, node->place);
    if (in.kind == PLACE_VARIABLE) in = place = value_place(s, &in);
    name = node->decl->name;
    place.decl = node->decl;
    place.shape = node->decl->shape;
    place.pointer = NULL;
    place.open = *name == '#';
    if (in.record && in.record->is_union) place.unsafe = true; /* it may hold another member */
    if (place.open) name = "";
    if (in.pointer && in.pointer->lvalue) in.text = in.pointer->lvalue, in.pointer = NULL;
    if (in.pointer && *name) place.text = residue_make(true, "%e->%s", in.pointer, name);
    else if (in.pointer) place.text = residue_make(true, "%e->", in.pointer);
    else if (in.text && in.open) place.text = residue_make(true, "%E%s", in.text, name);
    else if (in.text) place.text = residue_make(true, "%e.%s", in.text, name);
    if (in.kind == PLACE_SHARED && !in.item) {
        /* for a union or struct without a name: the address of its first member */
        if (place.open) {
            scan_record *inner = shape_record(s->program, place.shape);
            place.record = in.record;
            if (inner && inner->is_union && place.owner.kind == OWNER_NONE) {
                const char *first = inner->fields.count ? inner->fields.at[0]->name : "#";
                place.record = inner;
                if (*first == '#') place.owner = unknown_owner;
                else if (place.text) place.anchor = residue_make(false, "&%E%s", place.text, first);
                return place;
            }
        }
        name_member(s, &in, &place);
    } else {
        scan_record *inner = shape_record(s->program, place.shape);
        if (inner) place.record = inner;
    }
    return place;
}

/* The length of an array, or 0 when its type does not tell. */
static unsigned long length_of(const char *shape) {
    const char *bracket = strrchr(shape, '[');
    return bracket ? strtoul(bracket + 1, NULL, 10) : 0;
}

/* R6: the test of an index under which an element may be loaded; NULL: none is needed. */
static residue_expr *in_length(const slice_place *array, const slice_value *index) {
    const unsigned long length = length_of(array->shape);
    const char *text = index->known->text, *close;
    char *end;
    while (*text == '(' && (close = strchr(text, ')')) && !strchr("0123456789", text[1]))
        text = close + 1; /* (type)1 */
    const unsigned long constant = strtoul(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && constant < length) return array->within;
    residue_expr *test =
        residue_make(false, "(unsigned long)%e < %s", index->known, scan_text("%lu", length));
    return array->within ? residue_make(false, "%e && %e", array->within, test) : test;
}

slice_place slice_element(slicer *s, const slice_place *array, const slice_value *index,
                          const char *shape) {
    slice_place place = *array;
    residue_expr *text = slice_text(array);
    place.shape = shape;
    place.text = text && index->known ? residue_make(true, "%e[%E]", text, index->known) : NULL;
    place.pointer = NULL;
    place.unsafe = array->unsafe || !index->known || !length_of(array->shape);
    if (!place.unsafe) place.within = in_length(array, index);
    if (!index->known) place.why = index->why;
    name_element(s, array, &place);
    return place;
}

static slice_place variable_place(slicer *s, const ast_node *node) {
    slice_place place = {.shape = node->shape, .decl = node->decl, .sure = true};
    scan_decl *decl = node->decl;
    if (!decl) {
        place.kind = PLACE_SHARED;
        place.why = scan_text("%s is declared elsewhere", node->text);
        return place;
    }
    slice_check(decl, node->place);
    if (decl->kind == DECL_LOCAL) {
        place.variable = slice_variable_of(s, decl);
        place.kind = PLACE_VARIABLE;
        if (decl->addressed || shape_is_array(decl->shape) ||
            (shape_record(s->program, decl->shape) && !place.variable->slot->record))
            place.kind = PLACE_PRIVATE;
        return place;
    }
    place.kind = PLACE_SHARED;
    if (!slice_sees(s, decl)) {
        place.why = scan_text(decl->inner ? "the static variable %s of a function cannot be named: "
                                            "move it to file scope%.0s"
                                          : "the variable %s cannot be named in %s",
                              decl->name, s->task->unit->file);
        return place;
    }
    place.text = residue_make(true, "%s", decl->name);
    place.anchor = residue_make(false, shape_is_array(decl->shape) ? "%s" : "&%s", decl->name);
    scan_record *record = shape_record(s->program, decl->shape);
    if (record) name_record(s, &place, record, false);
    return place;
}

/* The items of other instances are next to the item: no footprint names them. */
void slice_check_item(slicer *s, const slice_value *pointer, const ast_node *by) {
    const scan_task *task = s->task;
    const char *shape = task->item ? shape_of(task->unit, task->item) : "";
    long long number;
    if (pointer->item && scan_same(shape_inner(pointer->shape), shape) &&
        !(fold_value(by, &number) && number == 0))
        scan_error(by->place, "a pointer to the item leads to the item of another instance: put a "
                              "pointer to what the body needs of that into the item");
}

static slice_place index_place(slicer *s, const ast_node *node) {
    const ast_node *base = node->kids.at[0];
    if (base->kind == AST_DECAY) {
        slice_place array = slice_lvalue(s, base->kids.at[0]);
        slice_value index = slice_eval(s, node->kids.at[1]);
        return slice_element(s, &array, &index, node->shape);
    }
    slice_value pointer = slice_eval(s, base);
    size_t from = s->out->count;
    slice_value index = slice_eval(s, node->kids.at[1]), moved = pointer;
    moved.sure = false;
    moved.unsafe = true;
    slice_check_item(s, &pointer, node->kids.at[1]);
    pointer.known = slice_converted(&pointer);
    slice_check_stale(s, from, &pointer);
    moved.guard = pointer.guard ? pointer.guard : pointer.known;
    moved.convert = NULL;
    if (!index.known) moved.why = index.why;
    moved.known = pointer.known && index.known
                      ? residue_make(false, "&%e[%E]", pointer.known, index.known)
                      : NULL;
    slice_place place = slice_deref(s, &moved, node->shape);
    place.unsafe = true;
    if (moved.known) {
        place.text = residue_make(true, "%e[%E]", pointer.known, index.known);
        place.pointer = NULL;
    }
    return place;
}

slice_place slice_lvalue(slicer *s, const ast_node *node) {
    slice_place none = {.kind = PLACE_PRIVATE, .shape = node->shape};
    slice_value pointer;
    switch (node->kind) {
    case AST_NAME: return variable_place(s, node);
    case AST_MEMBER:
        if (!node->arrow) return slice_member(s, slice_lvalue(s, node->kids.at[0]), node);
        pointer = slice_eval(s, node->kids.at[0]);
        return slice_member(s, slice_deref(s, &pointer, shape_inner(pointer.shape)), node);
    case AST_INDEX: return index_place(s, node);
    case AST_UNARY:
        if (scan_same(node->text, "*")) {
            pointer = slice_eval(s, node->kids.at[0]);
            return slice_deref(s, &pointer, node->shape);
        }
        break;
    case AST_CAST: return slice_lvalue(s, node->kids.at[0]);
    case AST_LITERAL: return none;
    case AST_COMPOUND_LITERAL:
        for (size_t i = 0; i < node->kids.count; i++) slice_eval(s, node->kids.at[i]);
        return none;
    default: break;
    }
    slice_eval(s, node); /* the struct that a call returns, or the like: a value */
    return none;
}
