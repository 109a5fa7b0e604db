/* The inside of ast.h: makes the program from facts. */
#ifndef SCAN_PROGRAM_AST_MAKER_H
#define SCAN_PROGRAM_AST_MAKER_H

#include "scan/program/ast.h"

typedef struct maker {
    scan_program *program;
    scan_unit *unit;
    const char *file;    /* file of the last node */
    const char *refused; /* why the fields of this struct are refused, as in scan_decl */
} maker;

/* ast.c: the parts of a fact, and the declarations of a file */
bool maker_is_volatile(const json *node);
const char *maker_text(const json *node, const char *key, const char *otherwise);
scan_place maker_place(maker *m, const json *node);
const char *maker_type(const maker *m, const json *node);
const char *maker_type_of(const maker *m, const json *type);
const json *maker_first(const json *node);
/* Why the length of an array in `type`, in a body, is not followed; NULL when it is. */
const char *maker_length_refusal(const maker *m, const char *type);
scan_decl *maker_declare(maker *m, const json *node, decl_kind kind);
void maker_record(maker *m, const json *node);
void maker_enum(maker *m, const json *node);
void maker_own_type(maker *m, const json *node);
scan_decl *maker_global(maker *m, const json *node, bool inner);

/* ast_body.c: statements and expressions */
ast_node *maker_convert(maker *m, const json *node);
void maker_convert_inner(maker *m, const json *node, ast_node *into);

#endif
