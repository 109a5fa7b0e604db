/* Which memory the bodies of tasks write: by field, global variable, and shape of what a plain
 * pointer points to. Memory that no body writes is stable: a touch function may read it. Aliases
 * are those that C's rules allow: through the same type, a union, or char. */
#ifndef SCAN_EFFECTS_EFFECTS_H
#define SCAN_EFFECTS_EFFECTS_H

#include "scan/program/ast.h"

#define EFFECTS_BYTES                                                                              \
    "the bytes of a %s are accessed as char: access its fields, copy it with memcpy "              \
    "and sizeof, or put the loop over its bytes into a function F of SVS_TOUCH_OF(F, touch), "     \
    "where touch names it"

/* A walk over the functions that tasks come to. */
typedef struct effects_walk {
    scan_program *program;
    size_t task;    /* fields.c: the task's number */
    unsigned visit; /* each function once in a visit */
    SCAN_LIST(scan_decl) todo;
} effects_walk;
void effects_reach(effects_walk *w, scan_decl *function);
/* The member that the struct of a member is, or NULL: a write of more than the member, or of less,
 * is one of all members around it. */
const ast_node *effects_around(const ast_node *member);

/* Fills in `written` and `addressed` of all declarations; reports calls that are not seen. */
void effects_find(scan_program *program);

/* Whether no task writes a field or global variable. Whether none writes what a pointer to `shape`
 * may point to. */
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

/* fields.c, the parts of structs: fields that no pair of tasks tells apart are one place (scan.R8).
 * After effects_find(): gives each field of a struct that is split its `leader`, the field that its
 * part is named by. Two fields are in two parts when, for some two tasks, that alone lets their
 * instances run at once. Whatever the parts are, footprints are right: an access names the part of
 * each field that it accesses. A struct with a header, with an owner, in a union, with bit-fields,
 * or that a hand-written touch function names as a whole, is not split. */
void fields_split(scan_program *program);

#endif
