/* Shapes: canonical names of types. A shape is the innermost type, followed by `*`, `[n]` and `()`
 * in the order in which operators take a value apart, from the right: `int (*a[3])[2]` is an array
 * of pointers to arrays, "int[2]*[3]". Qualifiers and signs are gone, typedefs are resolved, and
 * enums are int. A part of a type that kinds.def refuses becomes `?` with the complaint. */
#ifndef SCAN_PROGRAM_SHAPE_H
#define SCAN_PROGRAM_SHAPE_H

#include "scan/program/ast.h"

/* The shape of a type as clang writes it, with the typedefs of `unit`. */
const char *shape_of(scan_unit *unit, const char *type);

/* Forgets the shapes of texts. Called where names of types begin to mean something else. */
void shape_forget(scan_unit *unit);

/* Whether the text means the same type at the end of the file. It does unless it names a type of a
 * function, a struct without a name, or a computed length of an array. */
bool shape_is_spelled(const scan_unit *unit, const char *type);

#endif
