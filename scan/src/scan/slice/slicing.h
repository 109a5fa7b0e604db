/* The inside of the slice: values, places and the state of the walk. */
#ifndef SCAN_SLICE_SLICING_H
#define SCAN_SLICE_SLICING_H

#include "scan/effects/effects.h"
#include "scan/slice/slice.h"

/* The owner of a place. Footprints name the owner, unless they name the place by its own
 * address. */
typedef enum owner_kind {
    OWNER_NONE,   /* the place is named by its own address */
    OWNER_PLACE,  /* the address `pointer` */
    OWNER_OBJECT, /* the header `pointer` */
    OWNER_PATH,   /* the end of the path `links` from the header `pointer` */
    OWNER_UNKNOWN /* the place has an owner that is not known */
} owner_kind;

typedef struct slice_owner {
    owner_kind kind;
    residue_expr *pointer;
    residue_links links;
    bool late; /* the body may have set a link of the path before (R12) */
} slice_owner;

typedef struct slice_value {
    residue_expr *known; /* NULL: unknown */
    const char *shape;
    const char *convert; /* the type that it is implicitly converted to, or NULL */
    const char *real;    /* for a pointer: the shape before that conversion */
    slice_owner target;  /* owner of the place that a pointer points to */
    bool sure;           /* points to something, also in code that the body may not reach */
    bool unsafe;         /* may point to no element of its array (R6) */
    residue_expr *guard; /* another pointer: if it is NULL, this one points to nothing */
    bool fresh;          /* points to memory that this instance has made */
    bool local;          /* points to a variable of the body */
    bool item;           /* points into the item */
    bool stable;         /* the pointer is of SVS_STABLE */
    bool null;
    scan_decl *function;
    const char *why; /* why it is unknown */
} slice_value;

/* A local variable of one call of a function. */
typedef struct slice_variable {
    const scan_decl *decl;
    residue_slot *slot;
    residue_slot *root; /* variable for the pointer of its target's owner */
    owner_kind kind;    /* kind of the owner of all targets; OWNER_NONE: none so far */
    residue_links links;
    /* owner of all targets in this pass, without `root`; or NULL */
    residue_expr *owner;
    /* many_owners: the value of slicer.lost when the owners were found to differ */
    unsigned owner_pass, many_owners;
    bool set, fresh, not_fresh, stable, not_stable, not_sure, unsafe, item, not_item;
    bool local, not_local, late;
    scan_decl *function;
    bool many_functions;
    const char *why;
    unsigned followed; /* the last pass in which the body has surely followed this pointer */
    slice_value bound; /* a parameter that never changes: its value */
    bool is_bound;
} slice_variable;

typedef enum place_kind { PLACE_VARIABLE, PLACE_PRIVATE, PLACE_SHARED } place_kind;

typedef struct slice_place {
    place_kind kind;
    slice_variable *variable;
    residue_expr *pointer; /* the place is *pointer */
    residue_expr *text;    /* or the place is this lvalue; both NULL: it is unknown */
    bool open;             /* text ends in -> or . : a struct without a name */
    residue_expr *anchor;  /* the address that names the place */
    slice_owner owner;
    scan_record *record; /* the innermost struct */
    scan_decl *decl;     /* the last field, or the variable */
    const char *shape;
    residue_expr *test; /* a pointer that a load goes through, compared with NULL under R6 */
    /* R6: the condition that the indices are inside of arrays of a known length, or NULL */
    residue_expr *within;
    bool unsafe; /* under R6 it is not loaded */
    bool item, stable, sure;
    const char *why;
} slice_place;

/* A construct that jumps lead out of. */
typedef enum construct_kind { CONSTRUCT_CALL, CONSTRUCT_LOOP, CONSTRUCT_SWITCH } construct_kind;

typedef struct slice_construct {
    struct slice_construct *outer;
    construct_kind kind;
    int level;        /* the level of variables declared inside */
    int body_level;   /* CONSTRUCT_LOOP: the level of variables declared in its body */
    int dropped_ifs;  /* number of dropped conditions around the construct */
    bool left;        /* a dropped jump leads out of the construct */
    bool continued;   /* a `continue` of the construct was dropped */
    bool *remember;   /* CONSTRUCT_LOOP: where `left` is kept for the next pass */
    const char *out;  /* the label after the construct, for jumps over several constructs */
    const char *next; /* CONSTRUCT_LOOP: the label at the end of its body, or NULL: `continue` */
    bool plain_break; /* STEP_BREAK leads out of the construct */
} slice_construct;

/* One call of a function, the same in each pass. */
typedef struct slice_frame {
    struct slice_frame *outer;
    scan_decl *function;
    scan_table variables; /* variables by declaration */
    scan_table calls;     /* frames of calls in it */
    scan_table loops;     /* loops by node */
    slice_variable result;
    slice_value returned; /* value of the only return, at the end */
    bool direct;          /* there is no other return */
    bool recursive;
    unsigned links_set; /* links set by recursive calls, as in slice_loop.links_set */
} slice_frame;

/* What is known of a loop from earlier passes. */
typedef struct slice_loop {
    bool unknown; /* R5: the body is followed once */
    bool left;
    bool steps;           /* `continue` is a jump to a label in front of its step */
    residue_slot *rounds; /* R5: the variable in which the residue counts rounds */
    unsigned links_set;   /* R12: links that its rounds set */
} slice_loop;

/* What slice_drop_if() saves for slice_keep_if(): `uncertain` and `doubt` of the slicer. */
typedef struct slice_doubt {
    int uncertain;
    const char *why;
} slice_doubt;

typedef struct slicer {
    scan_program *program;
    const scan_task *task;
    slice_result *result;
    slice_frame *frame;
    slice_construct *construct;
    residue_block *out;
    int level, uncertain, dropped_ifs, depth;
    /* why the present code may not be reached; NULL: it is surely reached, or the reason is a
     * jump */
    const char *doubt;
    bool changed; /* something became unknown, so another pass is necessary */
    bool *again;
    scan_table names, fresh_fields;
    unsigned labels, pass;
    unsigned lost; /* number of variables and loops that have become unknown, plus 1 */
    /* R12: links that the body has set so far, has ever set, and follows; of all passes, except for
     * the first. */
    unsigned links_set, links_ever, links_followed;
    bool follows_late, asyncs;
    bool touching; /* a touch function is followed: the places that it names are the accesses */
} slicer;

/* slice.c: the state */
void slice_walk(scan_program *program, const scan_task *task, scan_decl *function, bool *again,
                bool touching, slice_result *result);
void slice_note_at(slicer *s, scan_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool slice_is_risky(const slicer *s);
/* R3: the level outside of which variables may not be set when the residue sets them here. */
int slice_uncertain_level(const slicer *s);
/* R4: when the residue reaches a jump out of `to`, or with `next` to the next round of the loop
 * `to`, does the body surely jump? */
bool slice_keeps_jump(const slicer *s, const slice_construct *to, bool next);
residue_step *slice_step(slicer *s, step_kind kind, scan_place place);
/* R12: record that the links of `mask` are set, or followed, from here on. */
void slice_sets_links(slicer *s, unsigned mask);
void slice_remember(slicer *s, unsigned *known, unsigned mask);
slice_doubt slice_drop_if(slicer *s, const char *why);
void slice_keep_if(slicer *s, slice_doubt before);

/* slice/variable.c: the variables of the body, and those of the residue */
slice_variable *slice_variable_of(slicer *s, const scan_decl *decl);
residue_slot *slice_slot(slicer *s, const char *name, const char *type);
void slice_set_slot(slicer *s, residue_slot *slot, residue_expr *expr, bool declares,
                    scan_place place);
void slice_assign(slicer *s, slice_variable *variable, const slice_value *value, bool declares,
                  scan_place place);
slice_value slice_read(slicer *s, slice_variable *variable, const char *shape);
/* R6: records that the body has loaded the lvalue: the pointer in the lvalue is not NULL for the
 * rest of the block that declares the pointer. */
void slice_follows(slicer *s, const ast_node *lvalue);
slice_owner slice_owner_of(slicer *s, const slice_value *value);

/* slice/place.c: the places of lvalues, and their names */
slice_place slice_lvalue(slicer *s, const ast_node *node);
slice_place slice_deref(slicer *s, const slice_value *pointer, const char *shape);
slice_place slice_member(slicer *s, slice_place in, const ast_node *node);
slice_place slice_element(slicer *s, const slice_place *array, const slice_value *index,
                          const char *shape);
/* Reports an error if pointer arithmetic leads from the item to that of another instance. */
void slice_check_item(slicer *s, const slice_value *pointer, const ast_node *by);
residue_expr *slice_text(const slice_place *place);
residue_expr *slice_address_text(const slice_place *place);
bool slice_is_reserved(const scan_decl *field);

/* slice/access.c: steps of the residue for accesses */
bool slice_is_stable(slicer *s, const slice_place *place);
/* Whether a write of another member of a union may change the field. */
bool slice_is_in_union(const slicer *s, const scan_decl *field);
/* Is the place of SVS_PER_WORKER or SVS_PER_ITEM? Accesses to it need no footprint. */
bool slice_is_apart(const slice_place *place);
/* Accesses everything. `at` is the lvalue or the pointer whose access memory.h has. */
void slice_everything(slicer *s, const ast_node *at, const char *why);
void slice_access(slicer *s, const slice_place *place, bool write, const ast_node *at);

/* slice/load.c: values of places */
/* The number of a link field, or -1. */
int slice_link_of(const scan_record *record, const scan_decl *field);
slice_value slice_load(slicer *s, const slice_place *place, const ast_node *node);
/* Records that `value` is stored in a variable of the body, or in a field of its structs. */
void slice_fill(slicer *s, const scan_decl *decl, const slice_value *value);
/* Records that a function that is not followed gets the argument: it may store pointers from
 * elsewhere in memory of the body that the argument leads to. */
void slice_hand(slicer *s, const slice_value *argument);
/* Records that a struct of this shape comes from elsewhere, with all its pointers. */
void slice_spoil(slicer *s, const char *shape);
void slice_store(slicer *s, const slice_place *place, const slice_value *value, const ast_node *to);
slice_value slice_address(slicer *s, const slice_place *place, const char *shape);

/* slice/value.c */
slice_value slice_eval(slicer *s, const ast_node *node);
slice_value slice_unknown(const char *shape, const char *why);
residue_expr *slice_converted(const slice_value *value);
/* Reports an error if the table of constructs does not let the declaration pass. */
void slice_check(const scan_decl *decl, scan_place place);
/* Whether the declaration's name means this variable or function at the place of the touch
 * function. */
bool slice_sees(const slicer *s, const scan_decl *decl);
/* Whether a type in the followed function is the same type at the place of the touch function. */
bool slice_spells(const slicer *s, const char *type, const char *shape);
/* Whether steps since `from` have set a variable that an earlier value uses. Such a value is not
 * known. */
bool slice_is_stale(const slicer *s, size_t from, const slice_value *value);
void slice_check_stale(const slicer *s, size_t from, slice_value *value);

/* slice/operator.c */
slice_value slice_binary(slicer *s, const ast_node *node);
slice_value slice_assignment(slicer *s, const ast_node *node);
slice_value slice_unary(slicer *s, const ast_node *node);
slice_value slice_choice(slicer *s, const ast_node *node);

/* slice/touch.c: whether a call is svs_reads(), svs_writes() or the like. If so, it is followed. */
bool slice_touch_call(slicer *s, const ast_node *node);

/* slice/library.c: calls of functions without a body, and calls of the library that the slice
 * follows */
slice_value slice_known_call(slicer *s, const ast_node *node, const known_call *known);
slice_value slice_builtin_call(slicer *s, const ast_node *node, const char *name);
slice_value slice_link_call(slicer *s, const ast_node *node);
slice_value slice_new_call(slicer *s, const ast_node *node);
slice_value slice_async_call(slicer *s, const ast_node *node);
/* R12: records a spawn, because an async may run after later code of the body. */
void slice_spawns(slicer *s);

/* slice/pure.c: the touch function may also call a helper that only computes a value from stable
 * memory */
bool slice_may_call(slicer *s, scan_decl *function, const slice_value *values, size_t count);
slice_value slice_call_text(slicer *s, scan_decl *function, const ast_node *node,
                            const slice_value *values, size_t count);

/* slice/enter.c: functions with a body */
slice_value slice_enter(slicer *s, scan_decl *function, const void *site, const slice_value *values,
                        size_t count, scan_place at);
void slice_return(slicer *s, const ast_node *node);

/* slice/call.c */
slice_value slice_call(slicer *s, const ast_node *node);
/* Follows each function that a call may reach, in sequence. */
slice_value slice_call_each(slicer *s, const call_targets *targets, const ast_node *node,
                            const slice_value *values, size_t count);

/* slice/if.c: what is known of a condition. Evaluates it: its accesses first, then what is known of
 * it being true and false. */
typedef struct slice_condition {
    residue_expr *known; /* the known parts; NULL: none */
    bool exact;          /* all parts are known */
} slice_condition;
void slice_condition_of(slicer *s, const ast_node *node, slice_condition *yes, slice_condition *no);
void slice_follow_if(slicer *s, const ast_node *node);

/* slice/loop.c */
void slice_follow_loop(slicer *s, const ast_node *node);
/* do { } while (0): a block that `break` and `continue` leave. */
void slice_follow_block(slicer *s, const ast_node *node);

/* slice/body.c */
void slice_statement(slicer *s, const ast_node *node);

#endif
