/* Findings in a readable form: named, sorted by their places in the program, and merged where
 * several instructions belong to one source line. The order is the program's, not the run's.
 *
 * Threads: one at a time; a thread that finds a race meanwhile waits (found.h). */
#ifndef SVS_DPST_REPORT_REPORT_H
#define SVS_DPST_REPORT_REPORT_H

#include "dpst/report/found.h"
#include "dpst/report/symbols.h"
#include <stdio.h>

/* A call stack, innermost first. */
typedef struct svs__stack_names {
    svs__place_name *places;
    uint32_t count;
} svs__stack_names;

/* Bytes of the object, from offset `begin` up to offset `end`. */
typedef struct svs__range {
    uintptr_t begin, end;
} svs__range;

typedef struct svs__report_entry {
    const svs__finding *example;
    const svs__side *sides[2];   /* the sides of the example, in the order of their lines */
    svs__stack_names stacks[2];  /* call stacks of the two sides */
    svs__stack_names allocation; /* the call stack of a block's allocation */
    svs__range *ranges;          /* the racy bytes */
    size_t range_count, racy_bytes;
    uint32_t follows; /* for an undeclared access: number of the races that follow from it */
    /* for such a race: it is counted with the undeclared access, and not printed */
    bool folded;
} svs__report_entry;

typedef struct svs__report_list {
    svs__report_entry *items;
    uint32_t count;
    uint32_t folded;
    uint32_t suppressed;
    uint64_t dropped; /* number of findings and lines that were not kept */
} svs__report_list;

/* Makes the reports of all that has been found. @param frames maximal number of frames of each call
 * stack. */
void svs__reports_make(svs__report_list *reports, uint32_t frames);

const char *svs__verdict_name(int verdict);

/* The name in the program of the function that an async runs; NULL: it is not known. */
const char *svs__path_function(const svs__path_item *item, char *room, size_t bytes);

/* Prints the first `most` reports as text. */
void svs__reports_print(const svs__report_list *reports, uint32_t most, FILE *to);

/* Prints all reports and the counters as one JSON object. @return whether all was written. */
bool svs__reports_print_json(const svs__report_list *reports, const svs_check_summary *summary,
                             FILE *to);

#endif
