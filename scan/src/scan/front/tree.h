/* clang's syntax tree of one file, without what the scan does not look at. Each node that has a
 * place in a source has it as `place`: for a macro's expansion, where the macro is used. */
#ifndef SCAN_FRONT_TREE_H
#define SCAN_FRONT_TREE_H

#include "scan/front/json.h"

/* A tree that breaks off is NULL, at byte `at` of `length`. */
typedef struct tree {
    json *root;
    size_t at, length;
} tree;

/* Reads all that a file descriptor gives, while clang writes it. Numbers and characters have their
 * token as in the source, "token", from files that are found from `folder` (NULL: this one). */
tree tree_read(scan_arena *arena, int from, const char *folder);

#endif
