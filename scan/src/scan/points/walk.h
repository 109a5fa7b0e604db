/* The inside of memory.h: the walk over functions that produces relations and accesses. */
#ifndef SCAN_POINTS_WALK_H
#define SCAN_POINTS_WALK_H

#include "scan/points/memory.h"
#include "scan/program/calls.h"

typedef struct walk_context {
    memory_task *task; /* NULL: for what no task calls */
    memory_accesses *accesses;
    /* the accesses that a touch function names, as opposed to those that it makes itself */
    memory_accesses *named;
    scan_table sites;   /* sites of local variables */
    scan_table results; /* results of functions that are followed */
    SCAN_LIST(scan_decl) todo;
} walk_context;

typedef struct walk_place {
    points_id site, pointer; /* site and pointer as in memory_access */
    memory_path path;
    const char *shape;
} walk_place;

typedef struct walker {
    memory *m;
    walk_context *context;
    scan_decl *function;
    scan_table globals, made, items, arguments;
    scan_table tasks; /* tasks by name; of several with one name, the first */
    points_id stable; /* result of walk_stable() */
} walker;

/* walk_place.c: roots, places, and what is stored in them */
memory_root *walk_root(walker *w, root_kind kind, const char *name, scan_place place);
points_id walk_site(walker *w, const scan_decl *variable);
points_id walk_pointer_to(walker *w, points_id site);
points_id walk_union(walker *w, points_id a, points_id b);
points_id walk_outside(walker *w);
/* The variable for what SVS_STABLE leads to in a touch function, and for its parts: memory that no
 * task writes. */
points_id walk_stable(walker *w);
/* The place that a pointer leads to. */
walk_place walk_deref(points_id pointer, const char *shape);
walk_place walk_lvalue(walker *w, const ast_node *node);
points_id walk_address(walker *w, const walk_place *place);
points_id walk_load(walker *w, const walk_place *place);
void walk_store(walker *w, const walk_place *to, points_id value);
/* Stores the values of an initialiser, in the order of the fields. */
void walk_store_list(walker *w, const walk_place *to, const ast_node *list);
void walk_access(walker *w, const walk_place *place, bool write, const ast_node *at);
/* Records that a touch function names the place, in the call `at`. */
void walk_name(walker *w, const walk_place *place, bool write, const ast_node *at);

/* walk.c: values and statements */
points_id walk_value(walker *w, const ast_node *node);
void walk_statement(walker *w, const ast_node *node);
/* Declares a variable with its initialiser. */
void walk_declare(walker *w, const scan_decl *decl, const ast_node *value);
points_id walk_parameter(walker *w, const scan_decl *parameter);

/* memory.c: the program. If `name` is the name of a task followed by `end`, the task; otherwise
 * NULL. */
const scan_task *walk_task(const walker *w, const char *name, const char *end);

/* walk_call.c */
points_id walk_call(walker *w, const ast_node *node);
/* The variable for the result of a function, which is followed in this context from now on. */
points_id walk_enter(walker *w, scan_decl *function);
points_id walk_parameter(walker *w, const scan_decl *parameter);

#endif
