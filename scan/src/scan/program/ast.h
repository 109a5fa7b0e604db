/* The program as the scan sees it: functions, variables, structs and task types of all files, with
 * bodies as trees. Made of clang's JSON (clang.h) by the table kinds.def; parentheses and casts
 * without effect are gone, and lvalues that are one place have one form (scan.I1, slice.h). */
#ifndef SCAN_PROGRAM_AST_H
#define SCAN_PROGRAM_AST_H

#include "scan/front/json.h"

typedef enum ast_kind {
    AST_UNKNOWN, /* what kinds.def refuses, or does not have; `text` says what it is */
    AST_NONE,    /* an omitted part of a for, a NULL statement, a declaration without effect */
    /* expressions */
    AST_LOAD,    /* the value of the lvalue kids[0] */
    AST_DECAY,   /* the address of the first element of the array kids[0] */
    AST_CAST,    /* `text` is clang's kind of the cast */
    AST_LITERAL, /* `text`: its value; `token`: in the source, or NULL */
    /* name of a variable, a constant, or a function: `decl`, or `text` when it is defined
     * elsewhere */
    AST_NAME,
    AST_MEMBER, /* kids[0].decl, or kids[0]->decl with `arrow` */
    AST_INDEX,  /* kids[0][kids[1]] */
    AST_UNARY,  /* `text` is the operator */
    AST_BINARY,
    AST_ASSIGN, /* = += -= ... */
    AST_CHOICE, /* kids[0] ? kids[1] : kids[2] */
    AST_CALL,   /* kids[0] is called with the other kids as arguments */
    AST_LIST,   /* the values of an initialiser */
    AST_SIZE,   /* sizeof and the like of the type `text`, or of kids[0] */
    AST_OFFSET, /* offsetof */
    AST_COMPOUND_LITERAL,
    AST_BLOCK_VALUE, /* ({ ... }) */
    AST_ATOMIC,      /* a builtin of atomic memory: an unknown one */
    /* statements */
    AST_BLOCK,
    AST_DECLARE, /* `decl`, with the value kids[0] or without */
    AST_IF,
    AST_FOR, /* kids: init, condition, step, body */
    AST_WHILE,
    AST_DO, /* kids: body, condition */
    AST_SWITCH,
    AST_CASE, /* kids[0] the constant, kids[1] the statement */
    AST_DEFAULT,
    AST_BREAK,
    AST_CONTINUE,
    AST_RETURN,
    /* used in the table kinds.def alone: no node has one of these kinds */
    AST_INSIDE, /* replaced by its contents */
    AST_DECLARATIONS,
    AST_GENERIC
} ast_kind;

struct scan_decl;

typedef struct ast_node {
    ast_kind kind;
    bool arrow;   /* AST_MEMBER: -> instead of . */
    bool postfix; /* AST_UNARY */
    bool written; /* AST_CAST: the source has the cast; otherwise the compiler added it */
    bool is_volatile;
    scan_place place;
    const char *text, *token;
    const char *type;  /* the type as C writes it */
    const char *of;    /* AST_SIZE: the shape of the type, or NULL */
    const char *shape; /* shape of the type: equal for equal types (scan_shape) */
    struct scan_decl *decl;
    SCAN_LIST(struct ast_node) kids;
} ast_node;

typedef enum decl_kind {
    DECL_FUNCTION,
    DECL_GLOBAL, /* a variable of a file, or a static one of a function */
    DECL_LOCAL,  /* a local variable or a parameter */
    DECL_FIELD,
    DECL_CONSTANT /* a constant of an enum, with its `value` */
} decl_kind;

/* A name of the program. A name that several files share is one scan_decl. */
typedef struct scan_decl {
    decl_kind kind;
    const char *name, *type, *shape;
    scan_place place;
    struct scan_unit *unit; /* the file that defines it */
    const char *refused;    /* NULL, or why kinds.def does not let it pass */
    bool is_static, is_inline;
    bool inner;     /* DECL_GLOBAL: a static variable inside of a function */
    bool bits;      /* DECL_FIELD: a bit-field */
    bool assigned;  /* DECL_LOCAL: set after its declaration */
    bool addressed; /* its address is taken for more than one access */
    /* DECL_FIELD: a void * that leads to its struct may lead to this field alone */
    bool leading;
    bool stored; /* DECL_FUNCTION: used as a value */
    bool quiet;  /* DECL_FUNCTION: named by SVS_TOUCHES_NOTHING */
    /* DECL_FUNCTION: `body` is that of its touch function (SVS_TOUCH_OF) */
    bool touched;
    bool written;           /* DECL_FIELD, DECL_GLOBAL: a task writes it */
    bool whole;             /* DECL_GLOBAL: an array that counts as one place */
    struct scan_record *of; /* DECL_FIELD: the struct that has it */
    /* DECL_FIELD: the struct to which the field leads, if SVS_PARTS names the field */
    struct scan_record *part;
    struct scan_decl *leader; /* DECL_FIELD: the field whose name the part of the struct has */
    unsigned char *uses;      /* DECL_FIELD: how each task accesses it (effects.h) */
    unsigned char *taken;     /* DECL_FIELD: whether each task takes its address */
    /* DECL_FUNCTION: NULL when the body is unknown; DECL_GLOBAL: its value */
    struct ast_node *body;
    SCAN_LIST(struct scan_decl) parameters;
    int64_t value;
    unsigned visit; /* number of the last walk that has visited it */
} scan_decl;

typedef struct scan_record {
    const char *name; /* name with struct or union, as in a declaration */
    bool is_union;
    bool per_worker; /* the struct is of SVS_PER_WORKER */
    bool per_item;   /* the struct is of SVS_PER_ITEM */
    bool parts;      /* a field of SVS_PARTS leads to it */
    bool whole;      /* a hand-written touch function names it */
    bool split;      /* its fields have leaders */
    /* records.h sets these at the first request: */
    bool union_known, in_union, deep_in_union, punned_known, punned;
    bool united; /* a union: all of it is written */
    SCAN_LIST(scan_decl) fields;
    scan_decl *header;           /* the svs_object of a memory object, or NULL */
    SCAN_LIST(const char) links; /* names, in the order of the type's description */
} scan_record;

/* A source file with what it includes. */
typedef struct scan_unit {
    const char *file;
    scan_table ids;       /* from clang's ids to scan_decl */
    scan_table types;     /* from names of typedefs to shapes */
    scan_table own_types; /* names of types that functions declare */
    scan_table shapes;    /* from the spellings of types to their shapes (shape.h) */
    scan_table visible;   /* names at file scope */
    scan_table records;   /* from clang's ids to scan_record */
} scan_unit;

/* A task type: SVS_TASK and its variants. */
typedef struct scan_task {
    const char *name;
    scan_unit *unit;
    scan_decl *run;   /* the function that the library calls */
    scan_decl *touch; /* NULL: none */
    bool scanned;
    bool by_hand; /* the touch function is written in the program */
    const char
        *item; /* the type of its item, as in a declaration; NULL: the run function has none */
    scan_place place;
} scan_task;

typedef struct scan_program {
    SCAN_LIST(scan_unit) units;
    SCAN_LIST(scan_decl) functions; /* functions with bodies */
    SCAN_LIST(scan_task) tasks;
    scan_table records; /* records by name */
    scan_table globals; /* globals by name; those of one file by "name@file" */
    scan_table may_own; /* records.h: shapes whose answer was requested before */
    /* effects.h: shapes of what is written through plain pointers */
    scan_table shapes_written;
    scan_table from_void; /* addresses.c: shapes that a void * leads to */
    /* effects.h: memory of any type is written through a pointer */
    bool bytes_written;
    SCAN_LIST(scan_decl) annotations; /* the constants of <svs/scan.h> */
    SCAN_LIST(scan_record) record_list;
} scan_program;

scan_program *ast_program(void);

/* Adds one file's facts (clang.h) to the program. */
void ast_add(scan_program *program, const json *facts);

/* Whether a node is ++ or --. */
static inline bool ast_is_step(const ast_node *node) {
    return node->kind == AST_UNARY && (scan_same(node->text, "++") || scan_same(node->text, "--"));
}
/* The lvalue that an assignment or a step sets, or NULL. */
static inline const ast_node *ast_set(const ast_node *node) {
    return node->kind == AST_ASSIGN || ast_is_step(node) ? node->kids.at[0] : NULL;
}

/* A shape without its last part: what a pointer points to, or the element of an array. */
const char *shape_inner(const char *shape);
/* The innermost element of an array, or the shape itself. */
const char *shape_element(const char *shape);
static inline bool shape_ends(const char *shape, char end) {
    size_t length = strlen(shape);
    return length && shape[length - 1] == end;
}
static inline bool shape_is_pointer(const char *shape) { return shape_ends(shape, '*'); }
static inline bool shape_is_array(const char *shape) { return shape_ends(shape, ']'); }
static inline bool shape_is_function(const char *shape) { return shape_ends(shape, ')'); }
/* The struct or union of a shape, or NULL. */
scan_record *shape_record(const scan_program *program, const char *shape);

#endif
