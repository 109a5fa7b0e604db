/* Internal: compares a hand-written touch function with the slice of the task's body. Headers that
 * `svs scan --compare` makes call these functions (svs_add_tasks(... COMPARE)). In each instance,
 * accesses that only the slice names are reported on stderr, once for each line of a body.
 *
 * Memory that the touch function names by an index of a space has no address to compare. It is
 * reported if in none of the instances in which the slice names the memory the touch function names
 * an index.
 *
 * With SVS_COMPARE_COUNTS in the environment, the program says at its end for each task how many
 * accesses a footprint has by hand and by the slice, and how many of these are wide: they follow
 * links, or are everything.
 *
 * The functions are those of svsCompare.c, which is installed together with svs_add_tasks(). */
#ifndef SVS_DETAIL_COMPARE_H
#define SVS_DETAIL_COMPARE_H

#if !defined(__cplusplus) /* generated headers are C */
#include <svs/task.h>

#define SVS__COMPARE_ACCESSES 512u

/* A line of a body, or of a function that the body calls. */
typedef struct svs__compare_line {
    const char *file; /* NULL: none */
    unsigned line;
} svs__compare_line;

/* The comparison for one instance. */
typedef struct svs__compare {
    svs_footprint sliced, written;
    svs_access room[2][SVS__COMPARE_ACCESSES];
    svs__compare_line lines[SVS__COMPARE_ACCESSES]; /* the lines of `sliced` */
} svs__compare;

void svs__compare_begin(svs__compare *both);
/* The source line of the accesses that were added since the last call. */
void svs__compare_at_line(svs_footprint *sliced, const char *file, unsigned line);
/* Reports the differences, and adds to `f` the accesses of the hand-written touch function. */
void svs__compare_end(const svs__compare *both, svs_footprint *f, const char *task);

#endif
#endif
