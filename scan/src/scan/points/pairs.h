/* Pairs of tasks: whether both may access the same memory, one of them as a writer.
 *
 *   scan.M1  two accesses meet where both may lead to one root (memory.h), and neither names a
 *            field that is apart from the other's;
 *   scan.M2  two paths of fields from one struct are not apart if one begins with the other;
 *            fields of a union are not apart, nor are adjacent bit-fields;
 *   scan.M3  a pointer about which nothing is known leads to all memory of its type, except
 *            variables whose address no function takes;
 *   scan.M4  the elements of an array are one place: admission distinguishes them;
 *   scan.M5  a read of a touch function through SVS_STABLE meets no write, and an access to a
 *            struct of SVS_PER_ITEM meets no write by the bodies of its own task. */
#ifndef SCAN_POINTS_PAIRS_H
#define SCAN_POINTS_PAIRS_H

#include "scan/points/memory.h"

typedef struct pairs_meeting {
    const memory_access *a, *b;
    const memory_root *root;
    const scan_decl *field; /* NULL: the whole root */
    bool touch;             /* `a` is a read by a's touch function, which b's body writes */
} pairs_meeting;

typedef struct pairs {
    memory *m;
    size_t count; /* number of tasks */
    /* [count * count]: meetings of the bodies of tasks i and k, i < k; NULL: the tasks are
     * independent */
    pairs_meeting **bodies;
    pairs_meeting **touches; /* meetings of i's touch function and k's body */
    /* for each task: the first task with its name, and the next one or `count` */
    size_t *first, *next;
} pairs;

pairs *pairs_of(scan_program *program);

/* The meeting of two tasks, in any order. */
const pairs_meeting *pairs_at(const pairs *p, size_t i, size_t k);

/* Prints each pair, and the number of pairs. */
void pairs_print(const pairs *p, FILE *output);
/* Prints a picture of the pairs that are not independent, for Graphviz. */
void pairs_dot(const pairs *p, FILE *output);
/* Reports an error for each SVS_EXPECT_INDEPENDENT whose tasks are not independent. */
void pairs_expect(const pairs *p);

/* The facts of a task, as the generated header has them; "" if there are none. */
const char *pairs_facts(const pairs *p, size_t task);

#endif
