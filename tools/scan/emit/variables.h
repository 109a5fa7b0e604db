/* Where a touch function declares its variables. */
#ifndef SCAN_EMIT_VARIABLES_H
#define SCAN_EMIT_VARIABLES_H

#include "scan/slice/residue.h"

typedef SCAN_LIST(const char) emit_lines;

/* A step declares its variable when nothing outside of its block, or in front of it, has it.
 * @return the declarations of all others, for the function's begin. */
emit_lines emit_variables(residue_block *body);
/* `type name`, without a const of the variable itself. */
const char *emit_declaration(const residue_slot *slot);

#endif
