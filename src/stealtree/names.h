/* The names of a trace: of graphs, of their tasks, and of places that instances conflict on. All
 * are in one text, in the order in which they were added: a letter (g, t or p), the name, a zero
 * byte. Tasks and places are numbered in this order, tasks from 0 and places from 1. The tasks of a
 * graph follow its name.
 *
 *   stealtree.N1  `tasks` and `places` are the numbers of these names in the text, and a task
 *                 follows a graph.
 *
 * Threads: one at a time. A recorder guards its names with a lock. */
#ifndef SVS_STEALTREE_NAMES_H
#define SVS_STEALTREE_NAMES_H

#include "base/memory.h"
#include "hooks/trace_hooks.h"

#define SVS__NAMES_MAX (1u << 20) /* largest size of a trace's names in bytes */

typedef enum svs__name_kind {
    SVS__NAME_GRAPH = 'g',
    SVS__NAME_TASK = 't',
    SVS__NAME_PLACE = 'p'
} svs__name_kind;

typedef struct svs__names {
    char *text; /* NULL: there are no names */
    uint32_t size, capacity;
    uint32_t tasks, places; /* number of names of tasks, and of places (stealtree.N1) */
} svs__names;

/* Adds a graph with its tasks, unless the same graph is in the text. @return the number of its
 * first task, or UINT32_MAX when there is no room or no memory. */
uint32_t svs__names_graph(svs__names *names, const svs_allocator *allocator,
                          const svs__seen_graph *graph);
/* Adds a place, unless it is in the text. @return its number; 0 when there is no room or no
 * memory. */
uint32_t svs__names_place(svs__names *names, const svs_allocator *allocator, const char *name);

/* Copies a text that was read from a file, and counts its names. @return SVS_OK, SVS_E_TRACE (it is
 * no list of names), SVS_E_NO_MEMORY. */
svs_status svs__names_take(svs__names *names, const svs_allocator *allocator, const char *text,
                           uint32_t size);
void svs__names_clean_up(svs__names *names, const svs_allocator *allocator);

/* The name at `*at`, without its letter; `*at` moves past it. NULL: there is none left. */
const char *svs__names_next(const svs__names *names, uint32_t *at, svs__name_kind *kind);

#endif
