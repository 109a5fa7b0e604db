/* Shapes: canonical names of types. A shape is the innermost type with `*`, `[n]` and `()` behind
 * it, in the order in which a value is taken apart from the right: `int (*a[3])[2]` is an array of
 * pointers to arrays, "int[2]*[3]". Qualifiers and signs are gone, typedefs are resolved, and enums
 * are int. What kinds.def does not let pass of a type is `?` with the complaint. */
#ifndef SCAN_PROGRAM_SHAPE_H
#define SCAN_PROGRAM_SHAPE_H

#include "scan/program/ast.h"

/* The shape of a type as clang writes it, with the typedefs of `unit`. */
const char *shape_of(scan_unit *unit, const char *type);

/* The names of types mean something else from here on. */
void shape_forget(scan_unit *unit);

/* Whether the text means the same type at the end of the file: it names no type of a function, no
 * struct without a name, and no length of an array that is worked out. */
bool shape_is_spelled(const scan_unit *unit, const char *type);

#endif
