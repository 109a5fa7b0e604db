/* Addresses that are taken, in all functions: what a pointer of unknown origin may lead to. */
#ifndef SCAN_EFFECTS_ADDRESSES_H
#define SCAN_EFFECTS_ADDRESSES_H

#include "scan/program/ast.h"

/* Marks the variables and fields with addresses that go further than one access, local variables
 * that are set after their declaration, and functions that are used as values. */
void addresses_find(scan_program *program);

/* Whether an lvalue is, or is in, a local variable. */
bool address_is_local(const ast_node *lvalue);

#endif
