/* A trace as the commands show it: its steal tree with the phases of all workers in one array, so
 * that an index names a phase.
 *
 *     tool_view view;
 *     int status = tool_view_open(&view, path);   // says itself what is wrong
 *     if (status != TOOL_ERROR)
 *         for (uint32_t i = 0; i < view.count; i++) show(&view.nodes[i]);
 *     tool_view_close(&view);
 *
 * A trace that is inconsistent, or not whole, is shown as far as it goes, with a warning: a picture
 * helps most when something is wrong. What has no place in the tree is a root there.
 *
 * Times are nanoseconds since the recording began. */
#ifndef TOOL_VIEW_H
#define TOOL_VIEW_H

#include "command.h"
#include "stealtree/trace.h"

typedef struct tool_node {
    const svs__tree_phase *phase;
    uint32_t worker;
    uint32_t number; /* among the worker's phases */
    /* Indices of nodes, or SVS__TREE_NONE. */
    uint32_t parent; /* whose async was stolen, or who was suspended; no node is its own ancestor */
    uint32_t enclosing;  /* who waits on the same worker meanwhile */
    uint32_t depth;      /* 0 for a root */
    uint64_t own_ns;     /* at work: without its waiting, and without the phases inside */
    uint64_t own_asyncs; /* without those of the phases inside */
} tool_node;

typedef struct tool_view {
    const char *name; /* of the file, without its folder */
    svs_trace *trace;
    svs__tree *tree;
    svs_trace_statistics statistics;
    char problem[SVS_TRACE_MESSAGE]; /* what svs_trace_verify() says; empty: it is consistent */
    uint64_t file_bytes;
    tool_node *nodes; /* worker by worker, in the order in which they began */
    uint32_t count;
    uint32_t *first; /* of each worker: the index of its first node; at the end, the count */
    uint32_t *order; /* indices of nodes by their beginning, parents in front of children */
    uint32_t depth;  /* the greatest */
    uint64_t begin_ns, end_ns; /* of the first phase, and of the last to end */
    uint64_t active_ns;        /* between the two, while any phase was in progress */
} tool_view;

/* Reads a trace. @return TOOL_OK, or TOOL_ERROR after it has said what is wrong with which file. */
int tool_trace_read(svs_trace **trace, const char *path);

/* @return TOOL_OK, TOOL_INCONSISTENT (shown, after a warning), TOOL_ERROR (not shown). */
int tool_view_open(tool_view *view, const char *path);
void tool_view_close(tool_view *view);

/* The part of tool_view_open() that makes all else from `tree`. @return false when there is no
 * memory for it, or there are too many phases. */
bool tool_view_lay_out(tool_view *view);

/* How long a worker was at work, and how long it waited in a phase without any. */
uint64_t tool_view_work_ns(const tool_view *view, uint32_t worker);
uint64_t tool_view_waited_ns(const tool_view *view, uint32_t worker);

/* How many asyncs a worker took from others. */
uint32_t tool_view_steals(const tool_view *view, uint32_t worker);

/* The phase that was at work longest, or NULL when there is none. */
const tool_node *tool_view_longest(const tool_view *view);

/* The share, 0 to 1, of each of `columns` equal parts of the time from begin_ns to end_ns that a
 * worker was at work. A trace tells how long a phase waited, not when: its waiting is spread over
 * all of it. Adds to `shares`, which has room for `columns`. */
void tool_view_utilisation(const tool_view *view, uint32_t worker, uint32_t columns,
                           double *shares);

/* "help-first" or "work-first". */
const char *tool_view_policy(const tool_view *view);

/* "root", "stolen" or "resumed". */
const char *tool_node_kind(const tool_node *node);

#endif
