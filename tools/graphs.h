/* The graphs in a trace, in arrays for the commands: names, instances, stages and conflicts.
 *
 *     tool_graphs graphs;
 *     if (tool_graphs_open(&graphs, trace)) ...
 *     tool_graphs_close(&graphs);
 *
 * Instances that were timed together have equal shares of the time, in sequence. Times are
 * nanoseconds since the recording began. */
#ifndef TOOL_GRAPHS_H
#define TOOL_GRAPHS_H

#include "command.h"
#include "stealtree/seen.h"

typedef struct tool_task {
    const char *graph, *name;
    uint64_t instances;
    uint64_t total_ns, longest_ns;
    uint64_t conflicts; /* recorded conflicts of this task's instances */
} tool_task;

typedef struct tool_instance {
    uint64_t id; /* svs_instance_id() */
    uint64_t begin_ns, end_ns;
    uint32_t worker, task, run, iteration;
    bool shared; /* timed together with others */
} tool_instance;

typedef struct tool_stage {
    uint32_t worker;
    uint64_t ns;
    svs__seen_stage of;
} tool_stage;

typedef struct tool_conflict {
    uint32_t worker;
    uint64_t ns;
    uint64_t id, other_id;
    double weight; /* number of conflicts of its kind that it represents */
    svs__seen_deferral of;
} tool_conflict;

typedef struct tool_graphs {
    tool_task *tasks;
    const char **places; /* places[0]: "" */
    uint32_t task_count, place_count;
    tool_instance *instances; /* instances by worker, then by time */
    tool_stage *stages;
    tool_conflict *conflicts;
    size_t instance_count, stage_count, conflict_count;
} tool_graphs;

/* @return false: no memory. */
bool tool_graphs_open(tool_graphs *graphs, const svs_trace *trace);
void tool_graphs_close(tool_graphs *graphs);

#define TOOL_PLACE 320 /* size of a place's text in bytes; a longer name is cut off */

/* The place of a conflict, "accounts[12]" or "cell at 0x55..."; in `text` of `size` bytes. */
const char *tool_conflict_place(const tool_graphs *graphs, const tool_conflict *conflict,
                                char *text, size_t size);
/* The cause of a conflict, in a few words. */
const char *tool_conflict_cause(const tool_conflict *conflict);

#endif
