#include "scan/points/walk.h"
#include "scan/program/shape.h"

points_id walk_enter(walker *w, scan_decl *function) {
    char key[32];
    snprintf(key, sizeof key, "%p", (void *)function);
    void **slot = scan_table_at(&w->context->results, key);
    if (!*slot) {
        *slot = (void *)(uintptr_t)points_variable(w->m->points);
        SCAN_ADD(&w->context->todo, function);
    }
    return (points_id)(uintptr_t)*slot;
}

/* The site of memory that a call of malloc() or the like makes: one for each call, in each
 * context. */
static points_id made_by(walker *w, const ast_node *call, const char *what) {
    char key[64];
    snprintf(key, sizeof key, "%p %p", (const void *)call, (void *)w->context->task);
    void **slot = scan_table_at(&w->made, key);
    if (!*slot) *slot = walk_root(w, ROOT_MADE, what, call->place);
    return walk_pointer_to(w, ((memory_root *)*slot)->site);
}

static void pass(walker *w, const scan_decl *parameter, points_id value) {
    if (!value) return;
    if (shape_record(w->m->program, parameter->shape)) {
        ast_node name = {.kind = AST_NAME, .decl = (scan_decl *)(uintptr_t)parameter};
        name.shape = parameter->shape;
        walk_place place = walk_lvalue(w, &name);
        walk_store(w, &place, value);
    } else {
        points_assign(w->m->points, walk_parameter(w, parameter), value);
    }
}

static points_id call_body(walker *w, scan_decl *function, const points_id *values, size_t count) {
    points_id result = walk_enter(w, function);
    for (size_t i = 0; i < function->parameters.count && i < count; i++)
        pass(w, function->parameters.at[i], values[i]);
    return result;
}

/* ---- the library's calls that hand memory over ---- */

/* The task that an argument names by its type, &NAME_task. NULL: it is not known. */
static const scan_task *task_of(const walker *w, const ast_node *argument) {
    const ast_node *plain = call_plain(argument);
    if (plain->kind != AST_UNARY || !plain->kids.count || !plain->kids.at[0]->decl) return NULL;
    return walk_task(w, plain->kids.at[0]->decl->name, "_task");
}

static points_id root_in(walker *w, scan_table *table, const scan_task *task, const char *what) {
    void **slot = scan_table_at(table, task->name);
    if (!*slot) *slot = walk_root(w, ROOT_OWN, what, task->place);
    return ((memory_root *)*slot)->site;
}

/* The struct of a task's item. NULL also for a task type that is written without SVS_TASK. */
static const scan_record *item_record(const walker *w, const scan_task *task) {
    if (!task->item) return NULL;
    return shape_record(w->m->program, shape_of(task->unit, task->item));
}

/* Stores items as those of the task `to`; if it is NULL, of all tasks with items of this type. */
static void send_items(walker *w, const scan_task *to, const ast_node *items, points_id value) {
    const char *shape = call_plain(items)->shape;
    const char *inner = shape_is_pointer(shape) ? shape_inner(shape) : shape;
    const scan_record *record = shape_record(w->m->program, inner);
    for (size_t i = 0; i < w->m->program->tasks.count && value; i++) {
        const scan_task *task = w->m->program->tasks.at[i];
        if (to ? task != to : !record || item_record(w, task) != record) continue;
        walk_place place = {.site = root_in(w, &w->items, task, "the item"), .shape = inner};
        walk_store(w, &place, value);
    }
}

static void hand_argument(walker *w, const scan_task *task, points_id value) {
    for (size_t i = 0; i < w->m->program->tasks.count && value; i++) {
        const scan_task *one = w->m->program->tasks.at[i];
        if (task && one != task) continue;
        points_id site = root_in(w, &w->arguments, one, "the argument");
        points_assign(w->m->points, points_content(w->m->points, site, 0), value);
    }
}

static points_id argument_of(walker *w) {
    if (!w->context->task) return 0;
    points_id site = root_in(w, &w->arguments, w->context->task->task, "the argument");
    return points_content(w->m->points, site, 0);
}

typedef struct call_values {
    const ast_node *node;
    points_id at[32]; /* values of the arguments, beginning with index 1 */
    size_t count;
} call_values;

/* Follows a call that passes items or an argument to tasks. The table has the numbers of its
 * arguments: the task's type, the items, and the argument. */
static bool call_of_graph(walker *w, const char *name, const call_values *v) {
    static const struct {
        const char *name;
        size_t type, items, argument;
    } known[] = {{"svs_graph_add_transform", 2, 3, 4},
                 {"svs_graph_add_itemizer", 2, 0, 3},
                 {"svs_for_each", 2, 3, 0},
                 {"svs_task_set_item", 0, 2, 0},
                 {"svs_graph_send", 0, 3, 0},
                 {"svs_send", 0, 3, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!scan_same(name, known[i].name)) continue;
        const scan_task *task = known[i].type < v->count && known[i].type
                                    ? task_of(w, v->node->kids.at[known[i].type])
                                    : NULL;
        if (known[i].items && known[i].items < v->count)
            send_items(w, task, v->node->kids.at[known[i].items], v->at[known[i].items]);
        if (known[i].argument && known[i].argument < v->count)
            hand_argument(w, task, v->at[known[i].argument]);
        return true;
    }
    return false;
}

/* Follows NAME_send() of SVS_TASK. */
static bool call_of_sender(walker *w, const char *name, const call_values *v) {
    const scan_task *task = walk_task(w, name, "_send");
    if (v->count < 5 || !task) return false;
    walk_place items = walk_deref(v->at[3], shape_inner(call_plain(v->node->kids.at[3])->shape));
    walk_access(w, &items, false, v->node->kids.at[3]);
    send_items(w, task, v->node->kids.at[3], v->at[3]);
    return true;
}

/* Follows svs_link_assign(object, &parent->link, child). */
static void call_of_link(walker *w, const call_values *v) {
    const ast_node *field = call_plain(v->node->kids.at[2]);
    walk_place place = walk_deref(v->at[2], shape_inner(field->shape));
    const ast_node *at = field;
    if (field->kind == AST_UNARY && field->kids.count) {
        at = field->kids.at[0];
        place = walk_lvalue(w, at);
    }
    walk_access(w, &place, true, at);
    walk_store(w, &place, v->at[3]);
}

static void call_of_new(walker *w, const call_values *v) {
    const ast_node *to = call_plain(v->node->kids.at[v->count - 1]);
    walk_place place = walk_deref(v->at[v->count - 1],
                                  shape_is_pointer(to->shape) ? shape_inner(to->shape) : to->shape);
    const ast_node *at = to;
    if (to->kind == AST_UNARY && to->kids.count) {
        at = to->kids.at[0];
        place = walk_lvalue(w, at);
    }
    walk_access(w, &place, true, at);
    walk_store(w, &place, made_by(w, v->node, "SVS_NEW"));
}

/* The place that svs_writes() and the like name; for a header, the object. */
static walk_place named_place(walker *w, const call_named *named) {
    const ast_node *what = named->what, *of = NULL;
    if (what->kind == AST_DECAY || (what->kind == AST_UNARY && scan_same(what->text, "&")))
        of = what->kids.at[0];
    bool header = of && of->kind == AST_MEMBER && scan_same(of->shape, "struct svs_object");
    if (header && of->arrow) return walk_deref(walk_value(w, of->kids.at[0]), named->shape);
    if (of) return walk_lvalue(w, header ? of->kids.at[0] : of);
    return walk_deref(walk_value(w, what), named->shape);
}

/* Records what a touch function names: that of a task, or one of SVS_TOUCH_OF (scan.R13). */
static void call_of_names(walker *w, const ast_node *node, const call_named *named) {
    walk_place place = {.pointer = walk_outside(w), .shape = "char"}; /* anything */
    if (named->what && (named->kind == NAMED_PLACE || named->kind == NAMED_OBJECT))
        place = named_place(w, named);
    if (w->context->named) walk_name(w, &place, named->write, node);
    else walk_access(w, &place, named->write, named->what ? named->what : node);
}

/* ---- functions without a body ---- */

static points_id call_of_known(walker *w, const known_call *known, const call_values *v) {
    points_id from = 0;
    for (size_t i = 1; i < v->count; i++) {
        char use = call_argument(known, v->node, i);
        const ast_node *plain = call_plain(v->node->kids.at[i]);
        if (!strchr("rwb", use) || !shape_is_pointer(plain->shape) || plain->kind == AST_LITERAL)
            continue;
        walk_place place = walk_deref(v->at[i], shape_inner(plain->shape));
        walk_access(w, &place, use != 'r', plain);
        if (use == 'r' && known->result == 'a') from = walk_load(w, &place);
    }
    if (known->result == 'a' && from) { /* memcpy() and the like */
        walk_place to = walk_deref(v->at[1], shape_inner(call_plain(v->node->kids.at[1])->shape));
        walk_store(w, &to, from);
    }
    if (known->result == 'a') return v->at[1];
    if (known->result == 'f') return made_by(w, v->node, known->name);
    return shape_is_pointer(v->node->shape) ? walk_outside(w) : 0;
}

/* A function without a known body may call each function that it is passed, with any of its
 * arguments. */
static points_id call_of_unseen(walker *w, const char *name, const call_values *v) {
    points_id all = 0;
    for (size_t i = 1; i < v->count; i++) all = walk_union(w, all, v->at[i]);
    for (size_t i = 1; i < v->count && !scan_starts(name, "svs_"); i++) {
        const ast_node *plain = call_plain(v->node->kids.at[i]);
        if (plain->kind == AST_UNARY && plain->kids.count) plain = plain->kids.at[0];
        if (plain->kind != AST_NAME || !plain->decl || plain->decl->kind != DECL_FUNCTION ||
            !plain->decl->body || plain->decl->quiet)
            continue;
        points_id given[8];
        for (int k = 0; k < 8; k++) given[k] = walk_union(w, all, walk_outside(w));
        (void)call_body(w, plain->decl, given, 8);
    }
    if (!shape_is_pointer(v->node->shape)) return 0;
    return scan_starts(name, "__builtin_") && all ? all : walk_union(w, all, walk_outside(w));
}

/* ---- all calls ---- */

static points_id call_async(walker *w, const call_values *v) {
    call_targets targets = call_targets_of(w->m->program, v->node->kids.at[2]);
    points_id values[2] = {v->at[1], v->at[3]};
    for (size_t i = 0; i < targets.functions.count; i++)
        (void)call_body(w, targets.functions.at[i], values, 2);
    return 0;
}

static points_id call_targets_body(walker *w, const call_targets *targets, const call_values *v) {
    points_id result = 0;
    for (size_t i = 0; i < targets->functions.count; i++)
        result =
            walk_union(w, result, call_body(w, targets->functions.at[i], v->at + 1, v->count - 1));
    for (size_t i = 0; i < targets->functions.count; i++)
        if (targets->functions.at[i]->touched && shape_is_pointer(v->node->shape))
            result = walk_union(w, result, walk_outside(w));
    return result;
}

points_id walk_call(walker *w, const ast_node *node) {
    call_targets targets = call_targets_of(w->m->program, node->kids.at[0]);
    const char *name = targets.name ? targets.name : "";
    const scan_decl *callee = node->kids.at[0]->decl;
    call_values v = {.node = node};
    call_named named = call_names(node);
    if (!targets.name) (void)walk_value(w, node->kids.at[0]);
    for (v.count = 1; v.count < node->kids.count && v.count < 32; v.count++)
        v.at[v.count] = walk_value(w, node->kids.at[v.count]);
    if (named.kind != NAMED_NOTHING) return call_of_names(w, node, &named), 0;
    if (callee && callee->kind == DECL_FUNCTION && callee->quiet)
        return shape_is_pointer(node->shape) ? walk_outside(w) : 0;
    if (scan_same(name, "svs_context_argument")) return argument_of(w);
    if (call_is_link(node)) return call_of_link(w, &v), 0;
    if (call_makes_object(node) && v.count > 1) return call_of_new(w, &v), 0;
    if (call_is_async(node)) return call_async(w, &v);
    if (call_of_graph(w, name, &v) || call_of_sender(w, name, &v)) return 0;
    if (targets.known) return call_of_known(w, targets.known, &v);
    if (scan_starts(name, "svs_")) return shape_is_pointer(node->shape) ? walk_outside(w) : 0;
    if (targets.functions.count) return call_targets_body(w, &targets, &v);
    return call_of_unseen(w, name, &v);
}

/* ---- text ---- */

const char *memory_text(const ast_node *node) {
    const char *inner;
    switch (node->kind) {
    case AST_NAME:
    case AST_LITERAL: return node->text;
    case AST_LOAD:
    case AST_DECAY:
    case AST_CAST: return memory_text(node->kids.at[0]);
    case AST_MEMBER:
        inner = memory_text(node->kids.at[0]);
        if (!node->decl || *node->decl->name == '#') return inner;
        return scan_text(node->arrow ? "%s->%s" : "%s.%s", inner, node->decl->name);
    case AST_INDEX:
        inner = memory_text(node->kids.at[1]);
        return scan_text("%s[%s]", memory_text(node->kids.at[0]),
                         strlen(inner) < 12 ? inner : "...");
    case AST_UNARY:
        inner = memory_text(node->kids.at[0]);
        return node->postfix ? scan_text("%s%s", inner, node->text)
                             : scan_text("%s%s", node->text, inner);
    case AST_CALL: return scan_text("%s()", memory_text(node->kids.at[0]));
    case AST_BINARY:
        return scan_text("%s %s %s", memory_text(node->kids.at[0]), node->text,
                         memory_text(node->kids.at[1]));
    default: return "...";
    }
}
