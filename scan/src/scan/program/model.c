#include "scan/program/model.h"
#include "scan/program/shape.h"

/* The first node of a kind in a tree, or NULL. */
static const ast_node *first_of(const ast_node *tree, ast_kind kind) {
    const ast_node *found = NULL;
    if (!tree) return NULL;
    if (tree->kind == kind) return tree;
    for (size_t i = 0; i < tree->kids.count && !found; i++)
        found = first_of(tree->kids.at[i], kind);
    return found;
}

/* The values of a variable's initialiser, or NULL. */
static const ast_node *values_of(const scan_decl *decl) {
    const ast_node *list = first_of(decl->body, AST_LIST);
    return list && list->kids.count ? list : NULL;
}

static const ast_node *value_of(const scan_decl *decl, size_t number) {
    const ast_node *list = values_of(decl);
    return list && number < list->kids.count ? list->kids.at[number] : NULL;
}

/* A literal's text without its quotes. */
static const char *quoted(const ast_node *tree) {
    const ast_node *literal = first_of(tree, AST_LITERAL);
    size_t length = literal ? strlen(literal->text) : 0;
    if (length < 2 || literal->text[0] != '"') return NULL;
    return scan_name(scan_text("%.*s", (int)length - 2, literal->text + 1));
}

static scan_decl *function_of(const ast_node *tree) {
    const ast_node *name = first_of(tree, AST_NAME);
    return name && name->decl && name->decl->kind == DECL_FUNCTION ? name->decl : NULL;
}

static bool names_function(const ast_node *tree, const char *name) {
    if (tree->kind == AST_NAME && scan_same(tree->text, name)) return true;
    for (size_t i = 0; i < tree->kids.count; i++)
        if (names_function(tree->kids.at[i], name)) return true;
    return false;
}

/* The type that the library's caller casts the item to. */
static const char *item_of(const ast_node *tree) {
    const char *found = NULL;
    if (tree->kind == AST_CAST && tree->written && shape_is_pointer(tree->shape)) {
        size_t length = strlen(tree->type);
        while (length && (tree->type[length - 1] == '*' || tree->type[length - 1] == ' ')) length--;
        return scan_name(scan_text("%.*s", (int)length, tree->type));
    }
    for (size_t i = 0; i < tree->kids.count && !found; i++) found = item_of(tree->kids.at[i]);
    return found;
}

static void add_task(scan_program *program, scan_decl *variable) {
    scan_task *task = SCAN_NEW(scan_task);
    task->name = quoted(value_of(variable, 0));
    task->unit = variable->unit;
    task->run = function_of(value_of(variable, 3));
    task->touch = function_of(value_of(variable, 4));
    task->place = variable->place;
    if (!task->name || !task->run || !task->run->body) {
        scan_error(variable->place,
                   "%s is no task type of SVS_TASK or its variants: svs scan reads only these",
                   variable->name);
        return;
    }
    task->item = item_of(task->run->body);
    if (task->item && task->touch && task->touch->body)
        task->scanned =
            names_function(task->touch->body, scan_text("%s_scanned_touch", task->name));
    task->by_hand = task->touch && task->touch->body && !task->scanned &&
                    !names_function(task->touch->body, "svs_writes_everything");
    if (task->scanned) task->place = task->touch->place;
    SCAN_ADD(&program->tasks, task);
}

static void add_object(scan_program *program, const scan_decl *variable) {
    const ast_node *size = value_of(variable, 1), *links = value_of(variable, 4);
    scan_record *record;
    if (!size || !(size = first_of(size, AST_SIZE))) return;
    record = shape_record(program, shape_of(variable->unit, size->text));
    if (!record) return;
    for (size_t i = 0; i < record->fields.count && !record->header; i++)
        if (scan_same(record->fields.at[i]->shape, "struct svs_object"))
            record->header = record->fields.at[i];
    const ast_node *name = first_of(links, AST_NAME);
    if (!name || !name->decl || record->links.count) return;
    const ast_node *list = values_of(name->decl);
    for (size_t i = 0; list && i < list->kids.count; i++)
        SCAN_ADD(&record->links, quoted(list->kids.at[i]));
}

/* Marks a function as quiet. A static function of a header is a different one in each file that
 * includes the header: all of these are marked. */
static void make_quiet(scan_program *program, scan_decl *function) {
    function->quiet = true;
    for (size_t i = 0; i < program->functions.count; i++) {
        scan_decl *other = program->functions.at[i];
        if (scan_same(other->name, function->name) && other->place.line == function->place.line &&
            scan_same(other->place.file, function->place.file))
            other->quiet = true;
    }
}

/* The parameters of a function's shape, with their brackets. */
static const char *parameters_of(const char *shape) {
    const char *open = shape + strlen(shape);
    int depth = 0;
    do {
        if (open == shape) return "";
        open--;
        depth += (*open == ')') - (*open == '(');
    } while (depth);
    return open;
}

/* SVS_TOUCH_OF: makes a touch function stand for a function. The touch function's parameters are
 * the footprint, then those of the function. Its body replaces the function's body, in which only
 * the taking of addresses still counts. */
static void stand_for(scan_program *program, const scan_decl *constant) {
    const ast_node *both = first_of(constant->body, AST_BINARY);
    scan_decl *function = both ? function_of(both->kids.at[0]) : NULL;
    scan_decl *touch = both ? function_of(both->kids.at[1]) : NULL, *seen;
    if (!function || !touch || function->touched) return;
    const char *takes = parameters_of(function->shape), *named = parameters_of(touch->shape);
    const char *wanted = scan_text("(struct svs_footprint*%s%s",
                                   scan_same(takes, "(void)") || scan_same(takes, "()") ? "" : ",",
                                   scan_same(takes, "(void)") ? ")" : takes + 1);
    if (!touch->body || !scan_same(named, wanted)) {
        scan_error(constant->place,
                   touch->body
                       ? "SVS_TOUCH_OF(%s, %s): %s takes the footprint first, and then what "
                         "%s takes"
                       : "SVS_TOUCH_OF(%s, %s): the body of %s is not seen%.0s",
                   function->name, touch->name, touch->name, function->name);
        return;
    }
    seen = SCAN_NEW(scan_decl);
    *seen = *function;
    if (seen->body) SCAN_ADD(&program->functions, seen);
    else SCAN_ADD(&program->functions, function);
    function->touched = true;
    function->body = touch->body;
    function->parameters.count = 0;
    for (size_t i = 1; i < touch->parameters.count; i++)
        SCAN_ADD(&function->parameters, touch->parameters.at[i]);
}

static void annotate(scan_program *program, const scan_decl *constant) {
    const ast_node *member = first_of(constant->body, AST_MEMBER);
    const ast_node *size = first_of(constant->body, AST_SIZE);
    scan_record *record = NULL;
    if (scan_starts(constant->name, "svs_scan_parts_") && member && member->decl) {
        member->decl->part = member->decl->of;
        record = shape_record(program, shape_inner(member->decl->shape));
        if (record) record->parts = true;
    } else if (scan_starts(constant->name, "svs_scan_per_worker_") && size) {
        record = shape_record(program, shape_of(constant->unit, size->text));
        if (record) record->per_worker = true;
    } else if (scan_starts(constant->name, "svs_scan_per_item_") && size) {
        record = shape_record(program, shape_of(constant->unit, size->text));
        if (record) record->per_item = true;
    } else if (scan_starts(constant->name, "svs_scan_touches_nothing_")) {
        scan_decl *function = function_of(constant->body);
        if (function) make_quiet(program, function);
    } else if (scan_starts(constant->name, "svs_scan_touch_of_")) {
        stand_for(program, constant);
    }
}

static size_t number_of(const scan_program *program, const scan_unit *unit) {
    size_t i = 0;
    while (i < program->units.count && program->units.at[i] != unit) i++;
    return i;
}

static bool is_before(const scan_program *program, const scan_task *a, const scan_task *b) {
    size_t in_a = number_of(program, a->unit), in_b = number_of(program, b->unit);
    if (in_a != in_b) return in_a < in_b;
    if (a->place.line != b->place.line) return a->place.line < b->place.line;
    return strcmp(a->name, b->name) < 0;
}

/* Sorts tasks in the order of the files, and of the lines in each. */
static void sort_tasks(scan_program *program) {
    for (size_t i = 1; i < program->tasks.count; i++) {
        scan_task *task = program->tasks.at[i];
        size_t to = i;
        for (; to > 0 && is_before(program, task, program->tasks.at[to - 1]); to--)
            program->tasks.at[to] = program->tasks.at[to - 1];
        program->tasks.at[to] = task;
    }
}

void model_find(scan_program *program) {
    for (size_t i = 0; i < program->globals.room; i++) {
        scan_decl *decl = scan_table_value(&program->globals, i);
        if (!decl || decl->kind != DECL_GLOBAL || !decl->body) continue;
        if (scan_same(decl->shape, "struct svs_type")) add_object(program, decl);
        if (scan_same(decl->shape, "struct svs_task_type")) add_task(program, decl);
    }
    sort_tasks(program);
    for (size_t i = 0; i < program->annotations.count; i++)
        annotate(program, program->annotations.at[i]);
}
