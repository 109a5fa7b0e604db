/* What functions without a visible body do: those of the C library and of this library. */
#ifndef SCAN_PROGRAM_CALLS_H
#define SCAN_PROGRAM_CALLS_H

#include "scan/program/ast.h"

typedef struct known_call {
    const char *name;
    /* Letters of base/c_library.def: one for each argument, and one for the result. */
    const char *arguments;
    char result;
    bool object; /* r, w and b are for the memory object of a header, not for the bytes */
} known_call;

/* @return what is known of the function; NULL: nothing. */
const known_call *call_known(const char *name);
/* @return the letter for argument kids[i] of a call of a known function. */
char call_argument(const known_call *callee, const ast_node *call, size_t i);
/* Whether a call accesses one `shape` through a pointer, and no memory beyond it. `callee` is NULL
 * for functions of this library. */
bool call_is_whole(const ast_node *call, const known_call *callee, const char *shape);
/* Whether a builtin of atomic memory may write what kids[i] points to: its first argument, or one
 * that gets a result. */
bool call_stores_through(const ast_node *atomic, size_t i);

/* The functions that a call may come to: the named one, or each function of the same shape that the
 * program uses as a value. `known` is set for one without a body. */
typedef struct call_targets {
    SCAN_LIST(scan_decl) functions;
    const known_call *known;
    const char *name; /* name of a function without a body */
} call_targets;
call_targets call_targets_of(const scan_program *program, const ast_node *callee);

/* Whether a call makes a memory object: SVS_NEW(), svs_object_new(). Its last argument says where
 * the pointer goes. */
bool call_makes_object(const ast_node *call);

/* Whether a call is svs_link_assign(object, &parent->link, child). */
bool call_is_link(const ast_node *call);

/* Whether a call is the one that SVS_STABLE puts around its pointer. */
bool call_marks_stable(const ast_node *call);

/* Whether a call is svs_async() or svs_finish(): it calls its second argument with its third. */
bool call_is_async(const ast_node *call);

/* The functions that name memory: svs_reads(f, what), svs_writes(f, what) and similar ones. */
typedef enum named_kind {
    NAMED_NOTHING, /* it is another call */
    NAMED_PLACE,   /* a place, by address */
    NAMED_OBJECT,  /* a memory object, by its header */
    NAMED_INDEX,   /* an index of a space */
    NAMED_REACH,   /* the reach of a header, or hops from it */
    NAMED_ALONG,
    NAMED_PATH,
    NAMED_EVERYTHING
} named_kind;
typedef struct call_named {
    named_kind kind;
    bool write;
    const ast_node *what; /* the argument without casts; NULL: NAMED_EVERYTHING */
    /* shape of the place that the argument points to; of a header, the struct that has it */
    const char *shape;
} call_named;
call_named call_names(const ast_node *call);

/* A pointer argument without its conversion to void *, and so with its own type. */
const ast_node *call_plain(const ast_node *argument);

#endif
