/* Whether two accesses may come to the same memory (rules scan.M1 to M3 of pairs.h). Accesses of
 * one class meet the same other accesses, so each two classes are compared once: a program of many
 * tasks has few classes. */
#ifndef SCAN_POINTS_MEETS_H
#define SCAN_POINTS_MEETS_H

#include "scan/points/memory.h"

typedef enum meets_how {
    MEETS_UNKNOWN,
    MEETS_NEVER,
    MEETS_PERHAPS, /* in memory that pointers from elsewhere lead to */
    MEETS_SURELY   /* in a root that is known */
} meets_how;

typedef struct meets_class {
    size_t number;
    bool write;
    bool per_item; /* the struct is of SVS_PER_ITEM */
    memory_path path;
    const char *shape;
    points_id *sites; /* the sites, except those private to an instance */
    size_t count;
    /* the meets_how of each other class, if it is known; NULL: none is known */
    unsigned char *known;
} meets_class;

typedef struct meets {
    const memory *m;
    scan_table by_key;
    SCAN_LIST(meets_class) classes;
    points_id *sites; /* sites of the present access */
    size_t room;
} meets;

/* Where two classes meet. */
typedef struct meets_place {
    const memory_root *root; /* NULL: they never meet */
    const scan_decl *field;  /* NULL: the whole root */
} meets_place;

/* The class of an access. NULL: the access meets no other one, because all that it accesses is
 * private to its instance. */
const meets_class *meets_class_of(meets *all, const memory_access *access);

/* meets_do() tells how two classes meet, meets_find() where. Called after the last class was
 * made. */
meets_how meets_do(meets *all, const meets_class *a, const meets_class *b);
meets_place meets_find(const meets *all, const meets_class *a, const meets_class *b);

#endif
