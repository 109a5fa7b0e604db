/* Questions about the structs of a program, for the names of places (scan.R8). */
#ifndef SCAN_PROGRAM_RECORDS_H
#define SCAN_PROGRAM_RECORDS_H

#include "scan/program/ast.h"

/* Whether a struct is inside of a union; `deep`: inside of another member of it. Members share an
 * address only if they are the first of their struct. */
bool record_in_union(const scan_program *program, scan_record *record, bool *deep);

/* Whether pointers may lead into a union elsewhere than to its beginning. */
bool record_is_punned(const scan_program *program, scan_record *record);

/* Whether a struct has an owner, or is inside of a struct that has one. */
bool record_is_owned(const scan_program *program, const scan_record *record);

/* Whether a pointer to `shape`, about which nothing else is known, may point into memory that is
 * named by its owner. Called after effects_find(). */
bool record_may_own(scan_program *program, const char *shape);

/* The struct of a shape, or of the elements of an array of this shape; or NULL. */
scan_record *record_inside(const scan_program *program, const char *shape);

#endif
