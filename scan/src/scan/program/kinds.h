/* The table of constructs, kinds.def. */
#ifndef SCAN_PROGRAM_KINDS_H
#define SCAN_PROGRAM_KINDS_H

#include "scan/program/ast.h"

typedef enum kind_section {
    KIND_NODE,
    KIND_CAST,
    KIND_OPERATOR,
    KIND_DECLARATION,
    KIND_ATTRIBUTE,
    KIND_STORAGE,
    KIND_TYPE
} kind_section;

typedef enum kind_use {
    KIND_KEPT,
    KIND_MADE,
    KIND_FOLLOWED,
    KIND_IGNORED,
    KIND_REFUSED,
    KIND_UNKNOWN /* not in the table */
} kind_use;

typedef struct kind_row {
    kind_section section;
    kind_use use;
    const char *name, *how;
    ast_kind kind; /* KIND_NODE: the kind that it becomes */
    size_t kids;   /* KIND_NODE: the least number of kids that such a node has */
} kind_row;

/* Looks a construct up (scan.T1). A construct that the table lacks has KIND_UNKNOWN. */
const kind_row *kind_find(kind_section section, const char *name);

/* Whether a construct is neither refused nor unknown. */
static inline bool kind_is_known(kind_section section, const char *name) {
    return kind_find(section, name)->use < KIND_REFUSED;
}

/* The complaint about a refused or unknown construct: its name, and what to write instead if the
 * table has that. */
const char *kind_complaint(kind_section section, const char *name);

#endif
