/* Races that were found while the program ran, grouped by object and by the pair of places in the
 * program that accessed it. Nothing is named or sorted yet (report.h).
 *
 * A race is often found many times: at each byte of an array, in each pair of iterations, in each
 * node of a list. One *finding* is kept for each pair of places and object, where blocks of the
 * heap that were allocated at one place count as one object. It has one bit for each byte of the
 * object that raced, and its example is the race at the lowest byte, so it does not depend on the
 * order in which races were found.
 *
 * Threads: any; one lock. */
#ifndef SVS_DPST_REPORT_FOUND_H
#define SVS_DPST_REPORT_FOUND_H

#include "dpst/calls.h"
#include "dpst/report/blocks.h"
#include <svs/check.h>

typedef enum svs__object_kind {
    SVS__IN_BLOCK,    /* a block of the heap */
    SVS__IN_VARIABLE, /* a variable with a name */
    /* a memory object, or a range that the program has named; `name` is that of its type */
    SVS__IN_OBJECT,
    SVS__ELSEWHERE /* a local variable, or memory from the system */
} svs__object_kind;

/* The object that a racy byte is in. */
typedef struct svs__raced_object {
    svs__object_kind kind;
    uintptr_t begin; /* address of the object; 0 for SVS__ELSEWHERE */
    size_t bytes;
    const char *name;      /* name of a variable, or of a type */
    const char *field;     /* field of a memory object; NULL: neither a link nor a member */
    svs__heap_block block; /* the block of the heap, also around a memory object; 0 bytes: none */
} svs__raced_object;

/* One access of the example. */
typedef struct svs__side {
    const void *pc;
    uint32_t frame, step;
    bool write;
    svs__path_item *path; /* path of the step, from the run down; NULL: not known */
    size_t path_count;
    const char *task;  /* task of a graph's instance */
    uint64_t instance; /* number of the instance */
    uint32_t run;      /* number of the run; 0: there is no instance */
    bool declared;     /* the footprint of the instance has the access */
} svs__side;

typedef struct svs__finding {
    svs__side sides[2]; /* the two accesses, in the order of their places in the program */
    int side_count;     /* 1 for an undeclared access, which is alone; otherwise 2 */
    int verdict;
    uintptr_t address; /* address of the example */
    size_t bytes;
    svs__raced_object object;
    const char *declared, *cure; /* NULL: not known, or nothing to declare */
    uint64_t times;
} svs__finding;

/* The racy bytes among the 64 bytes of the object that begin at offset `line` * 64, one bit
 * each. */
typedef struct svs__racy_line {
    uintptr_t line;
    uint64_t bytes;
    uint32_t finding;
} svs__racy_line;

/* Adds a race to the findings. This is a svs_check_function. */
void svs__found_add(const svs_check_race *race, void *unused);

/* Called with the lock held for each finding that differs from all before; NULL: no call. Set
 * before anything runs. */
extern void (*svs__found_tell)(const svs__finding *finding);

/* Gives all findings, and a table of lines, in which lines without bytes are free. The caller holds
 * the lock from begin to end. */
void svs__found_begin(const svs__finding **findings, uint32_t *count, const svs__racy_line **lines,
                      size_t *line_capacity);
void svs__found_end(void);

/* Resets the findings, in the child of a fork(). */
void svs__found_begin_anew(void);

/* @return the number of findings and lines that were not kept for lack of room. */
uint64_t svs__found_dropped(void);

#endif
