/* The view of a trace that all commands use: the steal tree with the phases of all workers in one
 * array, so that an index identifies a phase.
 *
 *     tool_view view;
 *     int status = tool_view_open(&view, path);   // prints its own errors
 *     if (status != TOOL_ERROR)
 *         for (uint32_t i = 0; i < view.count; i++) show(&view.nodes[i]);
 *     tool_view_close(&view);
 *
 * An inconsistent or incomplete trace is shown as far as possible, with a warning. A phase without
 * a valid parent becomes a root.
 *
 * Times are nanoseconds since the recording began. */
#ifndef TOOL_VIEW_H
#define TOOL_VIEW_H

#include "graphs.h"
#include "stealtree/trace.h"

typedef struct tool_node {
    const svs__tree_phase *phase;
    uint32_t worker;
    uint32_t number; /* number among the worker's phases */
    /* Indices of nodes, or SVS__TREE_NONE. */
    uint32_t parent;     /* the victim's phase, or the suspended one; no node is its own ancestor */
    uint32_t enclosing;  /* the phase of the same worker that waits meanwhile */
    uint32_t depth;      /* 0 for a root */
    bool in_instance;    /* the phase is of asyncs of an instance of a graph */
    uint64_t own_ns;     /* working time, without waiting and nested phases */
    uint64_t own_asyncs; /* number of asyncs, without those of nested phases */
} tool_node;

typedef struct tool_view {
    const char *name; /* name of the file, without its folder */
    svs_trace *trace;
    svs__steal_tree *tree;
    tool_graphs graphs;
    svs_trace_statistics statistics;
    char problem[SVS_TRACE_MESSAGE]; /* message of svs_trace_verify(); empty: consistent */
    uint64_t file_bytes;
    tool_node *nodes; /* nodes by worker, then by start */
    uint32_t count;
    uint32_t *first;           /* index of each worker's first node; the last entry is the count */
    uint32_t *order;           /* indices of nodes by start, parents before children */
    uint32_t depth;            /* the greatest depth of a node */
    uint64_t begin_ns, end_ns; /* start of the first phase or instance, end of the last */
    uint64_t active_ns;        /* time with at least one phase or instance in progress */
} tool_view;

/* Reads a trace. @return TOOL_OK, or TOOL_ERROR after a message that names the file and the error.
 */
int tool_trace_read(svs_trace **trace, const char *path);

/* @return TOOL_OK, TOOL_INCONSISTENT (shown, after a warning), TOOL_ERROR (not shown). */
int tool_view_open(tool_view *view, const char *path);
void tool_view_close(tool_view *view);

/* The part of tool_view_open() that computes the other fields from `tree`. @return false: no
 * memory, or too many phases. */
bool tool_view_lay_out(tool_view *view);

/* The time that a worker worked, in instances and in phases outside of them, and the time that it
 * waited inside of phases. */
uint64_t tool_view_work_ns(const tool_view *view, uint32_t worker);
uint64_t tool_view_waited_ns(const tool_view *view, uint32_t worker);

/* The number of asyncs that a worker stole. */
uint32_t tool_view_steals(const tool_view *view, uint32_t worker);

/* The phase with the longest working time, or NULL if there is no phase. */
const tool_node *tool_view_longest(const tool_view *view);

/* Divides the time from begin_ns to end_ns into `columns` equal parts and adds to each element of
 * `shares` the share, 0 to 1, of that part in which the worker worked. A trace records how long a
 * phase waited, not when, so the waiting is spread evenly over the phase. */
void tool_view_utilisation(const tool_view *view, uint32_t worker, uint32_t columns,
                           double *shares);

/* "help-first" or "work-first". */
const char *tool_view_policy(const tool_view *view);

/* "root", "stolen" or "resumed". */
const char *tool_node_kind(const tool_node *node);

#endif
