/* Conditions that are constants, such as those of SVS_ALWAYS and of macros. The branch that they
 * choose replaces the whole statement, and statements after a jump are removed. */
#ifndef SCAN_PROGRAM_FOLD_H
#define SCAN_PROGRAM_FOLD_H

#include "scan/program/ast.h"

/* Folds a body in place. */
void fold_body(ast_node *body);

/* Evaluates integers in the source, constants of enums, and some operators over these. @return
 * false: the expression is not such a constant. */
bool fold_value(const ast_node *node, long long *value);

#endif
