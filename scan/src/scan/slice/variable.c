#include "scan/slice/slicing.h"

enum { OWNER_MAX = 120 };

/* A name that nothing else at file scope or in the function has. */
static const char *unique(slicer *s, const char *name) {
    const char *tried = name;
    for (int i = 2;
         scan_table_get(&s->names, tried) || scan_table_get(&s->task->unit->visible, tried); i++)
        tried = scan_text("%s_%d", name, i);
    *scan_table_at(&s->names, tried) = s;
    return tried;
}

residue_slot *slice_slot(slicer *s, const char *name, const char *type) {
    residue_slot *slot = SCAN_NEW(residue_slot);
    slot->name = unique(s, name);
    slot->type = type;
    slot->level = s->level;
    return slot;
}

static bool is_scalar(const char *shape) {
    static const char *const scalars[] = {"char",        "_Bool",     "short", "int",
                                          "long",        "long long", "float", "double",
                                          "long double", "__int128"};
    if (shape_is_pointer(shape)) return true;
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (scan_same(shape, scalars[i])) return true;
    return false;
}

/* Is it a struct that is only set as a whole, with a type that can be named? */
static bool is_plain_struct(const slicer *s, const scan_decl *decl) {
    const scan_record *record = shape_record(s->program, decl->shape);
    return record && !record->is_union && !decl->addressed;
}

static const char *key_of(const void *pointer) { return scan_text("%p", (const void *)pointer); }

slice_variable *slice_variable_of(slicer *s, const scan_decl *decl) {
    void **slot = scan_table_at(&s->frame->variables, key_of(decl));
    slice_variable *variable = *slot;
    if (variable) return variable;
    *slot = variable = SCAN_NEW(slice_variable);
    variable->decl = decl;
    variable->slot = slice_slot(s, decl->name, decl->type);
    variable->root = slice_slot(s, scan_text("%s_owner", decl->name), "const void *");
    variable->slot->record = is_plain_struct(s, decl);
    variable->slot->unknown = decl->addressed ||
                              !(is_scalar(decl->shape) || variable->slot->record) ||
                              !slice_spells(s, decl->type, decl->shape);
    return variable;
}

/* Notes that a slot is set. If its value changes, other variables may not rely on it in the next
 * pass. */
static void note_set(slicer *s, residue_slot *slot, bool declares) {
    if (slot->pass != s->pass) slot->set = slot->relied = false;
    slot->pass = s->pass;
    if ((!declares || slot->set) && !slot->fickle) {
        slot->fickle = true;
        s->changed |= slot->relied;
    }
    slot->set = true;
}

void slice_set_slot(slicer *s, residue_slot *slot, residue_expr *expr, bool declares,
                    scan_place place) {
    residue_step *step;
    if (slot->unknown) return;
    if (expr && scan_same(expr->text, slot->name)) return;
    note_set(s, slot, declares);
    if (!expr || slot->level < slice_uncertain_level(s)) {
        slot->unknown = s->changed = true;
        s->lost++;
        return;
    }
    step = slice_step(s, STEP_SET, place);
    step->slot = slot;
    step->expr = expr;
    step->declares = declares;
}

static void flag(slicer *s, bool *flag, bool value) {
    if (value && !*flag) *flag = s->changed = true;
}

static residue_links joined(const residue_links *a, const residue_links *b) {
    residue_links links = *a;
    if (residue_same_links(a, b)) return links;
    links = (residue_links){.many = true, .mask = a->mask | b->mask};
    return links;
}

/* Joins the owners of all targets that a variable ever gets. */
static void join_owner(slicer *s, slice_variable *v, const slice_owner *owner) {
    owner_kind kind = owner->kind;
    residue_links links = owner->links;
    if (v->kind != OWNER_NONE || v->set) {
        if (v->kind != kind) {
            bool paths = (v->kind == OWNER_OBJECT || v->kind == OWNER_PATH) &&
                         (kind == OWNER_OBJECT || kind == OWNER_PATH);
            kind = paths ? OWNER_PATH : OWNER_UNKNOWN;
        }
        links = joined(&v->links, &links);
    }
    if (kind == v->kind && residue_same_links(&links, &v->links)) return;
    v->kind = kind;
    v->links = links;
    s->changed = true;
}

/* The owner of what a pointer points to: that of a known pointer to a memory object is the
 * object. */
slice_owner slice_owner_of(slicer *s, const slice_value *value) {
    slice_owner owner = value->target;
    const scan_record *record =
        shape_is_pointer(value->shape) ? shape_record(s->program, shape_inner(value->shape)) : NULL;
    if (owner.kind == OWNER_NONE && record && record->header) {
        owner.kind = value->known ? OWNER_OBJECT : OWNER_UNKNOWN;
        const char *header = record->header->name;
        residue_expr *known = slice_converted(value);
        if (known && value->sure) owner.pointer = residue_make(false, "&%e->%s", known, header);
        else if (known)
            owner.pointer = residue_make(false, "%e ? &%e->%s : NULL", known, known, header);
    }
    return owner;
}

/* Whether a variable may rely on an expression: its slots live as long as the variable, and never
 * change. */
static bool stays(slicer *s, const slice_variable *v, const residue_expr *expr) {
    if (v->many_owners == s->lost || strlen(expr->text) > OWNER_MAX) return false;
    for (size_t i = 0; i < expr->slots.count; i++) {
        residue_slot *slot = expr->slots.at[i];
        if (slot->fickle || slot->unknown || slot->level > v->slot->level) return false;
        if (slot->pass != s->pass) slot->set = false;
        slot->pass = s->pass;
        slot->relied = true;
    }
    return true;
}

/* @return whether the owner of all targets is known without the variable's root. */
static bool keep_owner(slicer *s, slice_variable *v, residue_expr *pointer) {
    residue_expr *owner = stays(s, v, pointer) ? pointer : NULL;
    if (scan_same(pointer->text, v->root->name)) return true;
    if (v->owner_pass != s->pass) v->owner = owner;
    v->owner_pass = s->pass;
    if (v->owner && owner && scan_same(v->owner->text, owner->text)) return true;
    if (v->owner && v->many_owners != s->lost) v->many_owners = s->lost, s->changed = true;
    return false;
}

void slice_assign(slicer *s, slice_variable *v, const slice_value *value, bool declares,
                  scan_place place) {
    if (shape_is_pointer(v->decl ? v->decl->shape : value->shape) && !value->null) {
        slice_value typed = *value;
        if (v->decl) typed.shape = v->decl->shape;
        slice_owner owner = slice_owner_of(s, &typed);
        join_owner(s, v, &owner);
        flag(s, &v->late, owner.late);
        v->set = true;
        flag(s, &v->not_sure, !value->sure);
        flag(s, &v->unsafe, value->unsafe);
        flag(s, value->fresh ? &v->fresh : &v->not_fresh, true);
        flag(s, value->stable ? &v->stable : &v->not_stable, true);
        flag(s, value->item ? &v->item : &v->not_item, true);
        flag(s, value->local ? &v->local : &v->not_local, true);
        flag(s, &v->many_functions,
             !value->function || (v->function && v->function != value->function));
        if (!v->function && value->function) v->function = value->function, s->changed = true;
        if (v->kind != OWNER_NONE && v->kind != OWNER_UNKNOWN &&
            !(owner.pointer && keep_owner(s, v, owner.pointer)))
            slice_set_slot(s, v->root, owner.pointer, declares, place);
    } else if (value->null && v->kind != OWNER_NONE && v->kind != OWNER_UNKNOWN &&
               !(v->owner && v->owner_pass == s->pass)) {
        slice_set_slot(s, v->root, residue_make(true, "NULL"), declares, place);
    }
    if (!value->null) flag(s, &v->not_sure, !value->sure);
    if (value->null) flag(s, &v->not_sure, true);
    if (!value->known && !v->why) v->why = value->why;
    if (value->known && value->guard && !value->sure)
        slice_set_slot(s, v->slot,
                       residue_make(false, "%e ? %e : NULL", value->guard, value->known), declares,
                       place);
    else slice_set_slot(s, v->slot, value->known, declares, place);
}

slice_value slice_read(slicer *s, slice_variable *v, const char *shape) {
    slice_value value = {.shape = shape};
    (void)s;
    if (v->is_bound) return v->bound;
    if (!v->slot->unknown) value.known = residue_of(v->slot);
    if (v->decl && v->decl->addressed) {
        value.why = "its variable's address is taken";
        return value;
    }
    value.sure = (v->set && !v->not_sure) || v->followed == s->pass;
    value.unsafe = v->unsafe && v->followed != s->pass;
    value.fresh = v->fresh && !v->not_fresh;
    value.stable = v->stable && !v->not_stable;
    value.item = v->item && !v->not_item;
    value.local = v->local && !v->not_local;
    value.function = v->many_functions ? NULL : v->function;
    value.why = v->why ? v->why : "it is set where the body may not come to";
    value.target.kind = v->kind;
    value.target.links = v->links;
    value.target.late = v->late;
    if (v->kind != OWNER_NONE && v->kind != OWNER_UNKNOWN) {
        if (v->owner_pass != s->pass && v->owner && v->many_owners != s->lost)
            v->many_owners = s->lost, s->changed = true;
        if (v->owner_pass == s->pass && v->owner) value.target.pointer = v->owner;
        else if (v->root->unknown) value.target.kind = OWNER_UNKNOWN;
        else value.target.pointer = residue_of(v->root);
    }
    /* A known pointer to a memory object names the object itself. */
    if (value.known && (v->kind == OWNER_OBJECT || v->kind == OWNER_PATH)) {
        const scan_record *record =
            shape_is_pointer(shape) ? shape_record(s->program, shape_inner(shape)) : NULL;
        if (record && record->header) value.target = (slice_owner){OWNER_NONE};
    }
    return value;
}

/* The pointer variable that an lvalue goes through, or NULL. */
static const scan_decl *pointer_of(const ast_node *lvalue) {
    while (lvalue->kind == AST_MEMBER && !lvalue->arrow) lvalue = lvalue->kids.at[0];
    const ast_node *load = lvalue->kids.count ? lvalue->kids.at[0] : NULL;
    bool through =
        lvalue->kind == AST_MEMBER || (lvalue->kind == AST_UNARY && scan_same(lvalue->text, "*"));
    if (!load || !through || load->kind != AST_LOAD || load->kids.at[0]->kind != AST_NAME)
        return NULL;
    return load->kids.at[0]->decl;
}

void slice_follows(slicer *s, const ast_node *lvalue) {
    const scan_decl *decl = pointer_of(lvalue);
    if (!decl || decl->kind != DECL_LOCAL || decl->assigned || decl->addressed) return;
    slice_variable *v = slice_variable_of(s, decl);
    if (slice_is_risky(s) || v->slot->level != s->level || v->followed == s->pass) return;
    v->followed = s->pass;
    v->bound.sure = true;
    v->bound.unsafe = false;
}
