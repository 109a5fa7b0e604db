/* clang's syntax tree of one file, without what the scan does not look at. Each node that has a
 * place in a source has it as `place`: for a macro's expansion, where the macro is used. */
#ifndef SCAN_FRONT_TREE_H
#define SCAN_FRONT_TREE_H

#include "scan/front/json.h"

/* `root` is NULL when the tree breaks off, at byte `at` of `length`. */
typedef struct tree {
    json *root;
    size_t at, length;
} tree;

/* Reads all that a file descriptor gives, while clang writes it. A node of a number or a character
 * gets a member "token", its text in the source. The names of source files are relative to `folder`
 * (NULL: to the working directory). */
tree tree_read(scan_arena *arena, int from, const char *folder);

#endif
