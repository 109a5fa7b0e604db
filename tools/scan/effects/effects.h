/* Which memory the bodies of tasks write: by field, global variable, and shape of what a plain
 * pointer points to. Memory that no body writes is stable: a touch function may read it. Aliases
 * are
 * those that C's rules allow: through the same type, a union, or char. */
#ifndef SCAN_EFFECTS_EFFECTS_H
#define SCAN_EFFECTS_EFFECTS_H

#include "scan/program/ast.h"

#define EFFECTS_BYTES                                                                              \
    "the bytes of a %s are accessed as char: access its fields, copy it with memcpy "              \
    "and sizeof, or put the loop over its bytes into a function F of SVS_TOUCH_OF(F, touch), "     \
    "where touch names it"

/* Fills in `written` and `addressed` of all declarations; reports calls that are not seen. */
void effects_find(scan_program *program);

/* Whether no task writes a field or global variable. Whether none writes what a pointer to `shape`
 * may point to. */
bool effects_stable(const scan_program *program, const scan_decl *decl);
bool effects_shape_stable(const scan_program *program, const char *shape);
/* Whether no task writes a struct of this type, or one in it. */
bool effects_record_stable(const scan_program *program, const scan_record *record);

#endif
