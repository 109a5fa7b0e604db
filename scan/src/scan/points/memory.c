#include "scan/points/walk.h"

static const char *key_of(const void *pointer, char *text) {
    snprintf(text, 32, "%p", pointer);
    return text;
}

/* ---- the program ---- */

static void finish(walker *w) {
    for (size_t i = 0; i < w->context->todo.count; i++) {
        w->function = w->context->todo.at[i];
        walk_statement(w, w->function->body);
    }
}

const scan_task *walk_task(const walker *w, const char *name, const char *end) {
    size_t length = strlen(name), less = strlen(end);
    if (length <= less || !scan_same(name + length - less, end)) return NULL;
    return scan_table_get(&w->tasks, scan_text("%.*s", (int)(length - less), name));
}

static void name_tasks(walker *w) {
    for (size_t i = w->m->program->tasks.count; i-- > 0;) {
        scan_task *task = w->m->program->tasks.at[i];
        *scan_table_at(&w->tasks, task->name) = task;
    }
}

static void follow_globals(walker *w) {
    for (size_t i = 0; i < w->m->program->globals.room; i++) {
        const scan_decl *decl = scan_table_value(&w->m->program->globals, i);
        if (decl && decl->kind == DECL_GLOBAL && decl->body && decl->body->kids.count)
            walk_declare(w, decl, decl->body->kids.at[0]);
    }
}

static points_id table_pointer(walker *w, scan_table *table, const scan_task *task,
                               const char *what) {
    void **slot = scan_table_at(table, task->name);
    if (!*slot) *slot = walk_root(w, ROOT_OWN, what, task->place);
    return ((memory_root *)*slot)->site;
}

/* Passes the item to the body or to the touch function. */
static void hand_item(walker *w, const scan_task *task, const scan_decl *function) {
    if (function->parameters.count < 2) return;
    points_id site = table_pointer(w, &w->items, task, "the item");
    points_malloc(w->m->points, walk_parameter(w, function->parameters.at[1]), site);
}

static void follow(walker *w, memory_task *of, scan_decl *function, memory_accesses *accesses) {
    walk_context context = {.task = of, .accesses = accesses};
    if (accesses == &of->touch) context.named = &of->named;
    if (!function || !function->body) return;
    w->context = &context;
    (void)walk_enter(w, function);
    hand_item(w, of->task, function);
    finish(w);
    w->context = NULL;
}

static void follow_tasks(walker *w) {
    for (size_t i = 0; i < w->m->program->tasks.count; i++) {
        const scan_task *task = w->m->program->tasks.at[i];
        memory_task *made = SCAN_NEW(memory_task);
        made->task = task;
        SCAN_ADD(&w->m->tasks, made);
        follow(w, made, task->run, &made->body);
        if (!task->scanned) follow(w, made, task->touch, &made->touch);
    }
}

static bool is_called(const walker *w, const scan_decl *function, const scan_table *called) {
    char key[32];
    (void)w;
    return scan_table_get(called, key_of(function, key)) != NULL;
}

static void mark_called(walker *w, const ast_node *node, scan_table *called) {
    char key[32];
    if (node->kind == AST_NAME && node->decl && node->decl->kind == DECL_FUNCTION &&
        node->decl->body && !is_called(w, node->decl, called)) {
        *scan_table_at(called, key_of(node->decl, key)) = w;
        mark_called(w, node->decl->body, called);
    }
    for (size_t i = 0; i < node->kids.count; i++) mark_called(w, node->kids.at[i], called);
}

/* Follows what no task calls, with all that this calls. NAME_send() of SVS_TASK is followed where
 * it is called, for its items alone. */
static void follow_rest(walker *w) {
    walk_context context = {.task = NULL};
    scan_table called = {0};
    char key[32];
    w->context = &context;
    for (size_t i = 0; i < w->m->program->tasks.count; i++) {
        const scan_task *task = w->m->program->tasks.at[i];
        scan_decl *both[2] = {task->run, task->touch};
        for (int k = 0; k < 2; k++) {
            if (!both[k] || !both[k]->body) continue;
            *scan_table_at(&called, key_of(both[k], key)) = w;
            mark_called(w, both[k]->body, &called);
        }
    }
    follow_globals(w);
    for (size_t i = 0; i < w->m->program->functions.count; i++) {
        scan_decl *function = w->m->program->functions.at[i];
        if (is_called(w, function, &called) || walk_task(w, function->name, "_send")) continue;
        (void)walk_enter(w, function);
    }
    finish(w);
    w->context = NULL;
}

memory *memory_of(scan_program *program) {
    memory *m = SCAN_NEW(memory);
    walker w = {.m = m};
    m->program = program;
    m->points = points_new();
    m->outside = walk_root(&w, ROOT_OUTSIDE, "memory that pointers from elsewhere lead to",
                           (scan_place){NULL, 0, 0});
    name_tasks(&w);
    follow_rest(&w);
    follow_tasks(&w);
    points_solve(m->points);
    return m;
}

const memory_root *memory_root_of(const memory *m, points_id site) {
    points_id root = points_root(m->points, site);
    return root < m->by_site.count ? m->by_site.at[root] : NULL;
}

points_id memory_next_site(const memory *m, const memory_access *access, points_id site) {
    points_id next;
    if (access->site) return site ? 0 : access->site;
    next = access->pointer ? points_next(m->points, access->pointer, site) : 0;
    return next || site ? next : m->outside->site;
}

const char *memory_root_text(const memory_root *root) {
    const char *at = scan_at(root->place);
    switch (root->kind) {
    case ROOT_GLOBAL:
    case ROOT_LOCAL: return scan_text("the variable %s (%s)", root->name, at);
    case ROOT_MADE: return scan_text("what %s makes at %s", root->name, at);
    default: return root->name;
    }
}
