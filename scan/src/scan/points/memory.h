/* The memory of a program that tasks access: where each part of it was made, which pointers lead to
 * it (points.h), and which parts each task accesses.
 *
 * The functions that a task calls are followed for this task alone, so that a helper of two tasks
 * has the arguments of one task at a time. All that no task calls is followed once. Neither the
 * order of statements nor that of calls counts.
 *
 * The result only serves the order of tasks: which of them may be open at once. Admission still
 * compares the instances, so a pointer that the analysis loses (from a file that is not scanned)
 * costs no safety. */
#ifndef SCAN_POINTS_MEMORY_H
#define SCAN_POINTS_MEMORY_H

#include "scan/points/points.h"
#include "scan/program/ast.h"

typedef enum root_kind {
    ROOT_GLOBAL,
    ROOT_LOCAL,  /* a local variable of a function that no task calls */
    ROOT_MADE,   /* memory made by malloc(), SVS_NEW() and similar calls */
    ROOT_OWN,    /* private to an instance: its item, variables of its body */
    ROOT_TEXT,   /* a string literal */
    ROOT_OUTSIDE /* what pointers from elsewhere lead to: anything */
} root_kind;

typedef struct memory_root {
    root_kind kind;
    const char *name; /* name of the variable, or of the call that makes the memory */
    scan_place place;
    points_id site;
    const scan_decl *decl; /* declaration of the variable */
} memory_root;

enum { MEMORY_PATH = 8 };

/* The fields that lead to a member from a root, or from what a pointer points to; the outermost
 * first. */
typedef struct memory_path {
    const scan_decl *fields[MEMORY_PATH];
    size_t length;
} memory_path;

typedef struct memory_access {
    scan_place place;
    const ast_node *node; /* the lvalue or the pointer; for a named place, the call */
    const char *text;     /* the access as written in the source */
    bool write;
    points_id site; /* site of the root, or 0 */
    /* if `site` is 0: the variable that leads to the place; 0: nothing is known */
    points_id pointer;
    memory_path path;
    const char *shape;
} memory_access;

typedef SCAN_LIST(memory_access) memory_accesses;

typedef struct memory_task {
    const scan_task *task;
    memory_accesses body;
    /* of a hand-written touch function: the accesses that it makes, and those that it names */
    memory_accesses touch, named;
} memory_task;

typedef struct memory {
    scan_program *program;
    points *points;
    SCAN_LIST(memory_task) tasks;      /* in the order of the program */
    SCAN_LIST(memory_root) by_site;    /* roots by site; NULL: the site is a part of another one */
    SCAN_LIST(const scan_decl) fields; /* fields by their numbers in points.h, counted from 1 */
    scan_table field_numbers;
    memory_root *outside;
} memory;

memory *memory_of(scan_program *program);

/* The root of a site of points.h: the site itself, or the one that it is a part of. */
const memory_root *memory_root_of(const memory *m, points_id site);

/* The next site that an access leads to; 0: there is no further one. An access about which nothing
 * is known leads to memory from outside. */
points_id memory_next_site(const memory *m, const memory_access *access, points_id site);

/* A root in words, with its line. */
const char *memory_root_text(const memory_root *root);

/* C text of an lvalue. */
const char *memory_text(const ast_node *node);

#endif
