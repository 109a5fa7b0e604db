/* The memory of a program, as tasks meet in it: what was made where, which pointers lead to it
 * (points.h), and what each task accesses.
 *
 * Each task's functions are followed by themselves, so that a helper that two tasks call has the
 * arguments of one of them; all that no task calls is followed once. Within that, neither the order
 * of statements nor of calls counts.
 *
 * The result is for the order of tasks alone: what may be open at once. Admission compares the
 * instances still, so that a pointer that the analysis loses (from a file that is not scanned)
 * costs no safety. */
#ifndef SCAN_POINTS_MEMORY_H
#define SCAN_POINTS_MEMORY_H

#include "scan/points/points.h"
#include "scan/program/ast.h"

typedef enum root_kind {
    ROOT_GLOBAL,
    ROOT_LOCAL,  /* a local variable of a function that no task calls */
    ROOT_MADE,   /* memory made by malloc(), SVS_NEW() and similar calls */
    ROOT_OWN,    /* an instance's own: its item, variables of its body */
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

/* A member of what a pointer, or a root, leads to: the outermost field first. */
typedef struct memory_path {
    const scan_decl *fields[MEMORY_PATH];
    size_t length;
} memory_path;

typedef struct memory_access {
    scan_place place;
    const ast_node *node; /* the lvalue, or the pointer; of what is named, the call */
    const char *text;     /* the access as the source has it */
    bool write;
    points_id site;    /* the root, or 0 */
    points_id pointer; /* without one: the variable that leads to it; 0: nothing known */
    memory_path path;
    const char *shape;
} memory_access;

typedef SCAN_LIST(memory_access) memory_accesses;

typedef struct memory_task {
    const scan_task *task;
    memory_accesses body;
    memory_accesses touch, named; /* what a touch function written by hand reads, and names */
} memory_task;

typedef struct memory {
    scan_program *program;
    points *points;
    SCAN_LIST(memory_task) tasks;      /* in the program's order */
    SCAN_LIST(memory_root) by_site;    /* NULL: a part of another */
    SCAN_LIST(const scan_decl) fields; /* fields by their numbers in points.h, from 1 */
    scan_table field_numbers;
    memory_root *outside;
} memory;

memory *memory_of(scan_program *program);

/* The root that a site of points.h is, or is a part of. */
const memory_root *memory_root_of(const memory *m, points_id site);

/* The next site that an access leads to; 0: no further one. Nothing known: memory from outside. */
points_id memory_next_site(const memory *m, const memory_access *access, points_id site);

/* A root in words, with its line. */
const char *memory_root_text(const memory_root *root);

/* C text of an lvalue. */
const char *memory_text(const ast_node *node);

#endif
