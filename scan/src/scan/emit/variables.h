/* Where a touch function declares its variables. */
#ifndef SCAN_EMIT_VARIABLES_H
#define SCAN_EMIT_VARIABLES_H

#include "scan/slice/residue.h"

typedef SCAN_LIST(const char) emit_lines;

/* Declares each variable in the step that sets it, when no code outside of its block or before it
 * uses the variable. @return the declarations of all other variables, for the beginning of the
 * function. */
emit_lines emit_variables(residue_block *body);
/* The text `type name`, without a const of the variable itself. */
const char *emit_declaration(const residue_slot *slot);

#endif
