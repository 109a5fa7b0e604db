/* Shapes: canonical names of types. A shape is the innermost type with `*`, `[n]` and `()` behind
 * it, in the order in which a value is taken apart from the right: `int (*a[3])[2]` is an array of
 * pointers to arrays, "int[2]*[3]". Qualifiers and signs are gone, typedefs are resolved, and enums
 * are int. */
#ifndef SCAN_SHAPE_H
#define SCAN_SHAPE_H

#include "ast.h"

/* The shape of a type as clang writes it, with the typedefs of `unit`. */
const char *shape_of(scan_unit *unit, const char *type);

#endif
