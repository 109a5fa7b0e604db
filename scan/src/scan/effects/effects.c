#include "scan/effects/effects.h"
#include "scan/program/calls.h"

static void write_shape(scan_program *program, const char *shape) {
    *scan_table_at(&program->shapes_written, shape) = program;
}

static void write_record(scan_program *program, scan_record *record);

static void write_field(scan_program *program, scan_decl *field) {
    scan_record *inner = shape_record(program, shape_element(field->shape));
    if (field->written) return;
    field->written = true;
    if (inner) write_record(program, inner);
    for (size_t i = 0; field->bits && i < field->of->fields.count; i++)
        if (field->of->fields.at[i]->bits) write_field(program, field->of->fields.at[i]);
}

static void write_record(scan_program *program, scan_record *record) {
    for (size_t i = 0; i < record->fields.count; i++) write_field(program, record->fields.at[i]);
}

static void write_pointee(scan_program *program, const char *shape) {
    scan_record *record = shape_record(program, shape_element(shape));
    if (record) write_record(program, record);
    else write_shape(program, shape_element(shape));
    if (scan_same(shape_element(shape), "char")) program->bytes_written = true;
}

/* Reports a store to a link. Links change by svs_link() alone: reachability would not know of
 * another store. */
static void check_link(const ast_node *lvalue) {
    const scan_decl *field = lvalue->kind == AST_MEMBER ? lvalue->decl : NULL;
    const scan_record *of = field ? field->of : NULL;
    for (size_t i = 0; of && of->header && i < of->links.count; i++)
        if (of->links.at[i] && scan_same(of->links.at[i], field->name))
            scan_error(lvalue->place,
                       "the link %s is stored to without svs_link(): the library would not know "
                       "what it leads to; write svs_link(parent, %s, child)",
                       field->name, field->name);
}

/* Notes a write of the lvalue: of the last field of its path. Lvalues that begin at a local
 * variable are skipped. */
static void write_lvalue(scan_program *program, const ast_node *lvalue) {
    if (address_is_local(lvalue)) return;
    if (lvalue->kind == AST_NAME && lvalue->decl) {
        scan_record *record = shape_record(program, shape_element(lvalue->shape));
        lvalue->decl->written = true;
        if (record) write_record(program, record);
    } else if (lvalue->kind == AST_MEMBER && lvalue->decl) {
        write_field(program, lvalue->decl);
    } else if ((lvalue->kind == AST_INDEX || lvalue->kind == AST_UNARY) && lvalue->kids.count &&
               lvalue->kids.at[0]->kind == AST_DECAY) {
        write_lvalue(program, lvalue->kids.at[0]->kids.at[0]);
    } else {
        write_pointee(program, lvalue->shape);
    }
}

const ast_node *effects_around(const ast_node *member) {
    const ast_node *in = member->arrow ? NULL : member->kids.at[0];
    return in && in->kind == AST_MEMBER && in->decl ? in : NULL;
}

static void write_around(scan_program *program, const ast_node *lvalue) {
    const ast_node *member = lvalue->kind == AST_MEMBER && lvalue->decl ? lvalue : NULL;
    for (; member; member = effects_around(member)) write_record(program, member->decl->of);
}

/* Notes a write through a pointer argument. */
static void write_argument(scan_program *program, const ast_node *argument, bool object,
                           bool whole) {
    const ast_node *plain = call_plain(argument);
    if (plain->kind == AST_UNARY && scan_same(plain->text, "&")) {
        const ast_node *lvalue = plain->kids.at[0];
        scan_record *record =
            object ? lvalue->decl ? lvalue->decl->of : NULL : shape_record(program, lvalue->shape);
        if (address_is_local(lvalue)) return;
        if (record) write_record(program, record);
        if (!whole) write_around(program, lvalue);
        write_lvalue(program, lvalue);
    } else if (plain->kind == AST_DECAY) {
        write_lvalue(program, plain->kids.at[0]);
    } else if (scan_same(plain->shape, "void*")) {
        scan_error(argument->place, "what this void * points to is written, and its type is not "
                                    "known here: pass a pointer of the type that it has");
    } else if (shape_is_pointer(plain->shape)) {
        write_pointee(program, shape_inner(plain->shape));
    }
}

static void write_known(effects_walk *w, const ast_node *call, const known_call *callee) {
    for (size_t i = 1; i < call->kids.count; i++) {
        const char *shape = call_plain(call->kids.at[i])->shape;
        const bool whole = call_is_whole(call, callee, shape_inner(shape));
        if (strchr("wb", call_argument(callee, call, i)))
            write_argument(w->program, call->kids.at[i], callee->object, whole);
    }
}

void effects_reach(effects_walk *w, scan_decl *function) {
    if (function->visit == w->visit || !function->body || function->quiet) return;
    function->visit = w->visit;
    SCAN_ADD(&w->todo, function);
}

/* R13: notes what a touch function of SVS_TOUCH_OF names as written. */
static void write_named(effects_walk *w, const ast_node *call, const call_named *named) {
    scan_program *program = w->program;
    if (named->kind == NAMED_INDEX)
        scan_error(call->place, "an index of a space does not say which memory is accessed: name "
                                "that by its address, or the object, in a touch function of "
                                "SVS_TOUCH_OF");
    if (!named->write || named->kind == NAMED_INDEX) return;
    if (named->kind == NAMED_PLACE) write_argument(program, call->kids.at[2], false, true);
    if (named->kind == NAMED_OBJECT) write_pointee(program, named->shape);
    if (named->kind < NAMED_REACH) return;
    for (size_t i = 0; i < program->record_list.count; i++)
        if (named->kind == NAMED_EVERYTHING || program->record_list.at[i]->header)
            write_record(program, program->record_list.at[i]);
    if (named->kind != NAMED_EVERYTHING) return;
    program->bytes_written = true;
    for (size_t i = 0; i < program->globals.room; i++) {
        scan_decl *decl = scan_table_value(&program->globals, i);
        if (decl && decl->kind == DECL_GLOBAL) decl->written = true;
    }
}

static void reach_call(effects_walk *w, const ast_node *call) {
    const ast_node *callee = call->kids.at[0];
    call_targets targets = call_targets_of(w->program, callee);
    call_named named = call_names(call);
    if (named.kind != NAMED_NOTHING) {
        write_named(w, call, &named);
        return;
    }
    if (callee->kind == AST_NAME && callee->decl && callee->decl->quiet) return;
    if (call_is_link(call)) {
        write_argument(w->program, call->kids.at[2], false, true);
        return;
    }
    if (call_makes_object(call)) {
        write_argument(w->program, call->kids.at[call->kids.count - 1], false, true);
        return;
    }
    if (call_is_async(call)) targets = call_targets_of(w->program, call->kids.at[2]);
    if (targets.known) write_known(w, call, targets.known);
    for (size_t i = 0; i < targets.functions.count; i++) effects_reach(w, targets.functions.at[i]);
    if (targets.known || targets.functions.count || !targets.name) return;
    if (scan_starts(targets.name, "__builtin_") || scan_starts(targets.name, "svs_")) return;
    scan_error(call->place,
               "a task calls %s, and its body is not seen: scan its file, too, or say what it "
               "accesses: SVS_TOUCH_OF(%s, touch), or SVS_TOUCHES_NOTHING(%s)",
               targets.name, targets.name, targets.name);
}

/* Whether the struct `inner` is at the beginning of `outer`. */
static bool begins(const scan_program *program, const scan_record *outer,
                   const scan_record *inner) {
    while (outer && outer != inner && outer->fields.count)
        outer = shape_record(program, outer->fields.at[0]->shape);
    return outer == inner;
}

/* Whether a pointer to one type becomes a pointer to another type, which is not that of the first
 * field. */
static bool changes_type(const scan_program *program, const char *to, const char *from) {
    const scan_record *into = shape_record(program, shape_inner(to));
    const scan_record *out_of = shape_record(program, shape_inner(from));
    if (scan_same(from, "void*") || scan_same(to, "void*") || scan_same(from, "char*") ||
        (shape_is_pointer(shape_inner(to)) && shape_is_pointer(shape_inner(from))))
        return false;
    return !into || !out_of || !(begins(program, into, out_of) || begins(program, out_of, into));
}

/* Notes casts after which memory is accessed as another type than that of its fields. */
static void check_cast(const scan_program *program, const ast_node *cast) {
    const char *to = cast->shape, *from = cast->kids.at[0]->shape;
    if (!scan_same(cast->text, "BitCast") || !shape_is_pointer(to) || to == from) return;
    const scan_record *out_of = shape_record(program, shape_inner(from));
    if (scan_same(from, "void*") ? scan_same(to, "char*") && cast->kids.at[0]->kind != AST_CALL
                                 : scan_same(to, "char*"))
        scan_error(cast->place, EFFECTS_BYTES, out_of ? out_of->name : "variable");
    else if (changes_type(program, to, from))
        scan_error(cast->place,
                   "a pointer of type %s becomes one of type %s: accesses through both "
                   "cannot be compared; use one type, or a union",
                   cast->kids.at[0]->type, cast->type);
}

static void walk_writes(effects_walk *w, const ast_node *node) {
    if (node->kind == AST_CAST && node->kids.count) check_cast(w->program, node);
    if (node->kind == AST_ASSIGN) check_link(node->kids.at[0]);
    if (ast_set(node)) write_lvalue(w->program, ast_set(node));
    for (size_t i = 0; node->kind == AST_ATOMIC && i < node->kids.count; i++)
        if (call_stores_through(node, i)) write_argument(w->program, node->kids.at[i], false, true);
    if (node->kind == AST_CALL) reach_call(w, node);
    if (node->kind == AST_NAME && node->decl && node->decl->kind == DECL_FUNCTION)
        effects_reach(w, node->decl); /* the function is passed to an async, or stored */
    for (size_t i = node->kind == AST_CALL && node->kids.at[0]->kind == AST_NAME;
         i < node->kids.count; i++)
        walk_writes(w, node->kids.at[i]);
}

/* ---- conclusions ---- */

static void conclude(scan_program *program, const scan_decl *decl) {
    if ((decl->addressed || decl->leading) && decl->written)
        write_shape(program, shape_element(decl->shape));
}

/* Applies that a write of a part of a union, also through a pointer, writes all of its members.
 * @return whether this found another write. */
static bool unite(scan_program *program) {
    bool changed = false;
    for (size_t i = 0; i < program->record_list.count; i++) {
        scan_record *record = program->record_list.at[i];
        if (record->is_union && !record->united && !effects_record_stable(program, record)) {
            record->united = changed = true;
            write_record(program, record);
        }
        for (size_t k = 0; k < record->fields.count; k++) conclude(program, record->fields.at[k]);
    }
    return changed;
}

void effects_find(scan_program *program) {
    effects_walk w = {.program = program, .visit = 1};
    addresses_find(program);
    for (size_t i = 0; i < program->tasks.count; i++) effects_reach(&w, program->tasks.at[i]->run);
    while (w.todo.count) walk_writes(&w, w.todo.at[--w.todo.count]->body);
    for (size_t i = 0; i < program->globals.room; i++) {
        const scan_decl *decl = scan_table_value(&program->globals, i);
        if (decl && decl->kind == DECL_GLOBAL) conclude(program, decl);
    }
    while (unite(program)) continue;
}

/* Programs use void * for pointers of all types. */
bool effects_shape_stable(const scan_program *program, const char *shape) {
    shape = shape_element(shape);
    if (scan_same(shape, "void")) return false; /* memory of any type */
    if (shape_is_pointer(shape) && scan_table_get(&program->shapes_written, "void*")) return false;
    return !scan_table_get(&program->shapes_written, shape) && !program->bytes_written;
}

bool effects_stable(const scan_program *program, const scan_decl *decl) {
    return !decl->written &&
           !((decl->addressed || decl->leading) && !effects_shape_stable(program, decl->shape));
}

bool effects_record_stable(const scan_program *program, const scan_record *record) {
    for (size_t i = 0; i < record->fields.count; i++) {
        const scan_record *inner =
            shape_record(program, shape_element(record->fields.at[i]->shape));
        if (!effects_stable(program, record->fields.at[i])) return false;
        if (inner && !effects_record_stable(program, inner)) return false;
    }
    return true;
}
