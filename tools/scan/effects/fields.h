/* Parts of structs: fields that no pair of tasks tells apart are one place (scan.R8). */
#ifndef SCAN_EFFECTS_FIELDS_H
#define SCAN_EFFECTS_FIELDS_H

#include "scan/program/ast.h"

/* After effects_find(): gives each field of a struct that is split its `leader`, the field that its
 * part is named by. Two fields are in two parts when, for some two tasks, that alone lets their
 * instances run at once. Whatever the parts are, footprints are right: an access names the part of
 * each field that it accesses. A struct with a header, with an owner, in a union, with bit-fields,
 * or that a hand-written touch function names as a whole, is not split. */
void fields_split(scan_program *program);

#endif
