/* The residue of a body: the part of it that the touch function keeps. It is a tree of steps over
 * expressions that are C text, and over variables of the touch function (slots). */
#ifndef SCAN_SLICE_RESIDUE_H
#define SCAN_SLICE_RESIDUE_H

#include "scan/base.h"

/* A variable of the touch function. */
typedef struct residue_slot {
    const char *name, *type;
    int level;   /* the nesting level of its scope in the body */
    bool record; /* it is a struct */
    /* the value is not known before the instance runs, so the variable is left out */
    bool unknown;
    bool needed;   /* an access or a condition depends on it */
    bool declared; /* a step with `declares` is left */
    unsigned pass; /* the pass of the walk that `set` and `relied` are about */
    bool set;      /* the slot was set in this pass */
    bool fickle;   /* the value changes in some pass */
    bool relied;   /* another variable relies on a value that does not change */
} residue_slot;

/* A C expression, with the slots in it. `atom`: it needs no brackets as an operand. */
typedef struct residue_expr {
    const char *text;
    bool atom;
    struct residue_expr *lvalue; /* for an address: the lvalue that it is the address of */
    SCAN_LIST(residue_slot) slots;
} residue_expr;

/* Makes an expression. In `format`, %e is an expression, in brackets unless it is an atom; %E is an
 * expression without brackets; %s is a text. */
residue_expr *residue_make(bool atom, const char *format, ...);
residue_expr *residue_of(residue_slot *slot);
bool residue_mentions(const residue_expr *expr, const residue_slot *slot);

typedef enum step_kind {
    STEP_SET,    /* slot = expr */
    STEP_ACCESS, /* text(f, expr): `access` says how */
    STEP_IF,     /* if (expr) inner[0] else inner[1] */
    STEP_LOOP,   /* for (;; inner[1]) { pre; if (!expr) break; inner[0] } */
    STEP_DO,     /* do inner[0] while (expr) */
    STEP_SWITCH, /* switch (expr) inner[0] */
    STEP_CASE,   /* case expr: or default: */
    STEP_BREAK,
    STEP_CONTINUE,
    STEP_GOTO, /* goto `text` */
    STEP_LABEL
} step_kind;

typedef enum access_kind {
    ACCESS_PLACE,  /* a place by its address, the expression */
    ACCESS_OBJECT, /* a memory object by its header */
    ACCESS_PATH,   /* a path from a header along `links` */
    ACCESS_ALONG,  /* everything along the links of the mask */
    ACCESS_EVERYTHING,
    ACCESS_NAMED, /* the call `text` with the arguments `expr` (scan.R13) */
    ACCESS_INDEX, /* only in hand-written touch functions: an index of a space */
    ACCESS_REACH  /* only in hand-written touch functions: all that a header reaches */
} access_kind;

enum { PATH_MAX_LINKS = 15 };

typedef struct residue_links {
    unsigned char count, link[PATH_MAX_LINKS];
    bool many;     /* any number of the links in `mask`, instead of the list */
    unsigned mask; /* mask of link numbers, in both cases */
} residue_links;

bool residue_same_links(const residue_links *a, const residue_links *b);

struct residue_step;
typedef SCAN_LIST(struct residue_step) residue_block;

typedef struct residue_step {
    step_kind kind;
    bool declares; /* STEP_SET: where the body declares the variable */
    bool write;    /* STEP_ACCESS: the access writes */
    bool doubtful; /* STEP_ACCESS: the body may not reach it */
    access_kind access;
    residue_links links;
    residue_slot *slot;
    residue_expr *expr; /* NULL: a STEP_LOOP without a condition, or the STEP_CASE of default */
    const char *text;
    const char *shape;   /* STEP_ACCESS: the struct or type of the place, or NULL */
    const char *perhaps; /* STEP_ACCESS: why it is wider than the body's access; NULL: it is not */
    scan_place place;
    /* ACCESS_EVERYTHING: the lvalue or the pointer of the access, unless the place has an owner;
     * of touch functions: the call that names the place */
    const struct ast_node *node;
    residue_block inner[2], pre;
} residue_step;

/* Drops each step that no access depends on, each access that an earlier one covers, each jump to
 * the next step, and each label to which nothing jumps. */
void residue_tidy(residue_block *block);

/* Whether a step of the block sets the slot. */
bool residue_sets(const residue_block *block, const residue_slot *slot);

#endif
