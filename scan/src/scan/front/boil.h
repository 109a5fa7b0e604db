/* Reduces clang's syntax tree to facts: what the functions of the file itself need, without the
 * rest. */
#ifndef SCAN_FRONT_BOIL_H
#define SCAN_FRONT_BOIL_H

#include "scan/front/json.h"

/* `tree` is clang's TranslationUnitDecl of `file`; the facts refer to its texts. */
json *boil_facts(scan_arena *arena, json *tree, const char *file);

#endif
