/* Which memory the bodies of tasks write: by field, by global variable, and by the shape that a
 * plain pointer leads to. Memory that no body writes is stable: a touch function may read it.
 * Aliases are those that C's rules allow: through the same type, a union, or char. */
#ifndef SCAN_EFFECTS_EFFECTS_H
#define SCAN_EFFECTS_EFFECTS_H

#include "scan/program/ast.h"

#define EFFECTS_BYTES                                                                              \
    "the bytes of a %s are accessed as char: access its fields, copy it with memcpy "              \
    "and sizeof, or put the loop over its bytes into a function F of SVS_TOUCH_OF(F, touch), "     \
    "where touch names it"

/* A walk over the functions that tasks call. */
typedef struct effects_walk {
    scan_program *program;
    size_t task;    /* fields.c: the task's number */
    unsigned visit; /* number of the present visit; each function is visited once in it */
    SCAN_LIST(scan_decl) todo;
} effects_walk;
void effects_reach(effects_walk *w, scan_decl *function);
/* The member that contains the struct of `member`, or NULL. A write of more than the member, or of
 * less, counts as one of all members around it. */
const ast_node *effects_around(const ast_node *member);

/* Fills in `written` and `addressed` of all declarations; reports calls of functions without a
 * known body. */
void effects_find(scan_program *program);

/* Whether no task writes the field or global variable; whether no task writes what a pointer to
 * `shape` may point to. */
bool effects_stable(const scan_program *program, const scan_decl *decl);
bool effects_shape_stable(const scan_program *program, const char *shape);
/* Whether no task writes a struct of this type, or one in it. */
bool effects_record_stable(const scan_program *program, const scan_record *record);

/* addresses.c, what a pointer of unknown origin may lead to. Marks the variables and fields with
 * addresses that go further than one access, local variables that are set after their declaration,
 * and functions that are used as values. */
void addresses_find(scan_program *program);

/* Whether an lvalue is, or is in, a local variable. */
bool address_is_local(const ast_node *lvalue);

/* fields.c, the parts of structs. Fields that no pair of tasks tells apart are one place (scan.R8).
 * Called after effects_find(): gives each field of a split struct its `leader`, the field whose
 * name the part has. Two fields are in two parts when this alone lets instances of some two tasks
 * run at once. Footprints are right for any division into parts: an access names the part of each
 * field that it accesses. A struct is not split if it has a header or an owner, is in a union, has
 * bit-fields, or is named as a whole by a hand-written touch function. */
void fields_split(scan_program *program);

#endif
