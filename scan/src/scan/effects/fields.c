#include "scan/effects/effects.h"
#include "scan/program/calls.h"
#include "scan/program/records.h"

typedef enum use { USE_NONE, USE_READ, USE_WRITE } use;

/* ---- what each task accesses ---- */

static void note(const effects_walk *w, scan_decl *field, use how) {
    if (!field->uses) field->uses = scan_take(scan_memory(), w->program->tasks.count + 1);
    if (field->uses[w->task] < how) field->uses[w->task] = (unsigned char)how;
}

static void note_all(const effects_walk *w, const char *shape, use how) {
    const scan_record *record = record_inside(w->program, shape);
    for (size_t i = 0; record && i < record->fields.count; i++) {
        note(w, record->fields.at[i], how);
        note_all(w, record->fields.at[i]->shape, how);
    }
}

static void note_write(const effects_walk *w, const ast_node *lvalue) {
    while (lvalue->kind == AST_INDEX && lvalue->kids.at[0]->kind == AST_DECAY)
        lvalue = lvalue->kids.at[0]->kids.at[0];
    if (lvalue->kind == AST_MEMBER && lvalue->decl) note(w, lvalue->decl, USE_WRITE);
    note_all(w, lvalue->shape, USE_WRITE);
}

static void note_around(const effects_walk *w, const ast_node *lvalue) {
    const ast_node *member = lvalue->kind == AST_MEMBER && lvalue->decl ? lvalue : NULL;
    for (; member; member = effects_around(member)) note_all(w, member->decl->of->name, USE_WRITE);
}

/* Notes the arguments through which a function without a body writes. */
static void note_call(const effects_walk *w, const ast_node *call, const known_call *callee) {
    for (size_t i = 1; i < call->kids.count; i++) {
        const ast_node *argument = call_plain(call->kids.at[i]);
        bool library =
            call_makes_object(call) ||
            (!callee && scan_starts(call->kids.at[0]->text ? call->kids.at[0]->text : "", "svs_"));
        if (!library && (!callee || !strchr("wb", call_argument(callee, call, i)))) continue;
        if (argument->kind == AST_UNARY && scan_same(argument->text, "&")) {
            note_write(w, argument->kids.at[0]);
            if (!call_is_whole(call, callee, argument->kids.at[0]->shape))
                note_around(w, argument->kids.at[0]);
        } else if (shape_is_pointer(argument->shape)) {
            note_all(w, shape_inner(argument->shape), USE_WRITE);
        }
    }
}

static void note_address(const effects_walk *w, const ast_node *lvalue) {
    for (; lvalue->kind == AST_MEMBER || lvalue->kind == AST_INDEX || lvalue->kind == AST_DECAY;
         lvalue = lvalue->kids.at[0]) {
        scan_decl *field = lvalue->kind == AST_MEMBER ? lvalue->decl : NULL;
        if (!field) continue;
        if (!field->taken) field->taken = scan_take(scan_memory(), w->program->tasks.count + 1);
        field->taken[w->task] = true;
    }
}

static void walk(effects_walk *w, const ast_node *node) {
    if (ast_set(node)) note_write(w, ast_set(node));
    if (node->kind == AST_MEMBER && node->decl) note(w, node->decl, USE_READ);
    if (node->kind == AST_DECAY || (node->kind == AST_UNARY && scan_same(node->text, "&")))
        note_address(w, node->kids.at[0]);
    if (node->kind == AST_LOAD) note_all(w, node->shape, USE_READ);
    if (node->kind == AST_NAME && node->decl && node->decl->kind == DECL_FUNCTION)
        effects_reach(w, node->decl);
    if (node->kind == AST_CALL && call_names(node).kind != NAMED_NOTHING) {
        call_named named = call_names(node);
        if (named.shape) note_all(w, named.shape, named.write ? USE_WRITE : USE_READ);
        return;
    }
    if (node->kind == AST_CALL) {
        call_targets targets = call_targets_of(w->program, node->kids.at[0]);
        note_call(w, node, targets.known);
        for (size_t i = 0; i < targets.functions.count; i++)
            effects_reach(w, targets.functions.at[i]);
    }
    for (size_t i = 0; i < node->kids.count; i++) walk(w, node->kids.at[i]);
}

/* ---- structs that hand-written touch functions name ---- */

static void keep_whole(effects_walk *w, const ast_node *node) {
    if (node->kind == AST_NAME && node->decl && node->decl->kind == DECL_FUNCTION)
        effects_reach(w, node->decl);
    if (node->kind == AST_CALL && node->kids.count > 2 && node->kids.at[0]->kind == AST_NAME &&
        (scan_starts(node->kids.at[0]->text, "svs_reads") ||
         scan_starts(node->kids.at[0]->text, "svs_writes") ||
         scan_starts(node->kids.at[0]->text, "svs_footprint_add"))) {
        const char *shape = call_plain(node->kids.at[2])->shape;
        scan_record *record =
            shape_is_pointer(shape) ? record_inside(w->program, shape_inner(shape)) : NULL;
        if (record) record->whole = true;
    }
    for (size_t i = 0; i < node->kids.count; i++) keep_whole(w, node->kids.at[i]);
}

static void each_function(effects_walk *w, scan_decl *first,
                          void (*look)(effects_walk *w, const ast_node *node)) {
    w->visit++;
    if (first) effects_reach(w, first);
    while (w->todo.count) look(w, w->todo.at[--w->todo.count]->body);
}

/* ---- parts ---- */

/* Whether a struct is split. Most have no field that a task accesses, so what is quick to find out
 * comes first. */
static bool is_split(const scan_program *program, scan_record *record) {
    bool deep = false, used = false;
    if (record->header || record->parts || record->is_union || record->whole ||
        record->per_worker || record->per_item)
        return false;
    for (size_t i = 0; i < record->fields.count; i++) {
        const scan_decl *field = record->fields.at[i];
        if (field->bits || *field->name == '#') return false;
        used |= field->written && field->uses;
    }
    return used && !record_in_union(program, record, &deep) && !record_is_owned(program, record);
}

static bool conflict(use a, use b) {
    return a != USE_NONE && b != USE_NONE && (a == USE_WRITE || b == USE_WRITE);
}

static use more(use a, use b) { return a > b ? a : b; }

/* Whether instances of some two tasks may run at once only if two fields are in different parts. */
static bool told_apart(const unsigned char *a, const unsigned char *b, size_t tasks) {
    for (size_t i = 0; i < tasks; i++)
        for (size_t k = i; k < tasks; k++)
            if (conflict(more(a[i], b[i]), more(a[k], b[k])) && !conflict(a[i], a[k]) &&
                !conflict(b[i], b[k]))
                return true;
    return false;
}

/* Whether a field may be in a part: it has no name of its own. */
static bool is_plain(const scan_program *program, const scan_decl *field) {
    return !field->addressed && !record_inside(program, field->shape);
}

static void join(scan_decl *part, scan_decl *field, size_t tasks) {
    field->leader = part;
    for (size_t i = 0; field != part && field->uses && i < tasks; i++)
        part->uses[i] = (unsigned char)more(part->uses[i], field->uses[i]);
}

/* The leader of the first part that a field may join; otherwise the field itself. */
static scan_decl *part_of(const scan_record *record, size_t field, size_t tasks) {
    for (size_t i = 0; i < field; i++) {
        scan_decl *other = record->fields.at[i];
        if (other->leader == other &&
            !told_apart(other->uses, record->fields.at[field]->uses, tasks))
            return other;
    }
    return record->fields.at[field];
}

static void split(scan_program *program, scan_record *record) {
    const size_t tasks = program->tasks.count;
    scan_decl *first = NULL;
    for (size_t i = 0; i < record->fields.count; i++) {
        scan_decl *field = record->fields.at[i];
        if (!is_plain(program, field) || !field->written || !field->uses) continue;
        join(part_of(record, i, tasks), field, tasks);
        if (!first) first = field;
        record->split |= field->leader != first;
    }
    for (size_t i = 0; i < record->fields.count; i++)
        if (is_plain(program, record->fields.at[i]) && !record->fields.at[i]->leader)
            record->fields.at[i]->leader = first;
}

void fields_split(scan_program *program) {
    effects_walk w = {.program = program};
    for (size_t i = 0; i < program->functions.count; i++) program->functions.at[i]->visit = 0;
    for (size_t i = 0; i < program->tasks.count; i++) {
        const scan_task *task = program->tasks.at[i];
        w.task = i;
        each_function(&w, task->run, walk);
        if (!task->scanned && task->touch) each_function(&w, task->touch, keep_whole);
    }
    for (size_t i = 0; i < program->functions.count; i++)
        if (program->functions.at[i]->touched)
            each_function(&w, program->functions.at[i], keep_whole);
    for (size_t i = 0; i < program->record_list.count; i++)
        if (is_split(program, program->record_list.at[i]))
            split(program, program->record_list.at[i]);
}
