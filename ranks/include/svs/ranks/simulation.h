/* Conservative simulation of discrete events over all ranks, on a timed event graph
 * (event_graph.h): each node runs its steps in the order of their times.
 *
 *     static svs_status gate(svs_simulation *simulation, uint32_t node, int64_t time, void *mine) {
 *         change out = {time + 1, 0};
 *         for (uint32_t i = 0; i < svs_simulation_inputs(simulation); i++) {
 *             const change *in = svs_simulation_input(simulation, i);   // NULL: none at this time
 *             ...
 *         }
 *         return svs_simulation_send(simulation, &out);
 *     }
 *
 *     svs_simulation_options_init(&options);
 *     options.graph.name = "circuit"; ...  // as for svs_event_graph_new(), but timed and next
 *     options.graph.event_bytes = sizeof(change);  // an event begins with its time
 *     options.body = gate;
 *     options.end = 100000;
 *     svs_simulation_new(ranks, &options, &simulation);
 *     svs_simulation_start(simulation, &mine->done);   // in a run, on each rank
 *
 * A node has a clock of its own: the time of its last step. It makes its next step at the earliest
 * time of an event on its inputs, or of its own wake, when the clocks of all empty inputs are past
 * it: so all events of that time are there, and none before it will come. In a step it may send one
 * event, not before `lookahead` after the step. Between steps a node promises that; so the clocks
 * of its outputs rise also when it has nothing to send.
 *
 * A send goes to all outputs of a node. `takes` says for which of the targets an event is: the
 * others make no step for it.
 *
 * Events and wakes after `end` are ignored, and so are sends. A node ends when no event or wake up
 * to that time can come.
 *
 * What a node does depends on its events alone: results are the same for each number of ranks,
 * capacity, cure of deadlock and schedule.
 * Threads: as <svs/ranks/rank.h> says. */
#ifndef SVS_RANKS_SIMULATION_H
#define SVS_RANKS_SIMULATION_H

#include <svs/ranks/event_graph.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_simulation svs_simulation;

/* Makes a step of a node of this rank. If it returns a failure, the run ends. */
typedef svs_status svs_simulation_body(svs_simulation *simulation, uint32_t node, int64_t time,
                                       void *argument);

typedef struct svs_simulation_options {
    size_t size; /* size of this struct, filled by svs_simulation_options_init() */
    /* options of the event graph; the simulation sets `timed` and `next` */
    svs_event_graph_options graph;
    svs_simulation_body *body;
    /* passed to `body`, `first`, `lookahead` and `takes`; may differ between ranks */
    void *argument;
    /* Returns the time of a node's first wake, at least 0; SVS_EVENT_TIME_MAX: no wake. NULL: no
     * node has a first wake. */
    int64_t (*first)(uint32_t node, void *argument);
    /* Returns the lookahead of a node: the least time between a step and an event that it sends, at
     * least 1. NULL: 1 for all nodes. */
    int64_t (*lookahead)(uint32_t node, void *argument);
    int64_t end; /* the last time of a step; less than SVS_EVENT_TIME_MAX / 2 */
    /* Whether an event on one of a node's inputs is for this node: 1, or 0 if it is only for other
     * targets of its source. In the latter case the event raises the clock of the input, as a null
     * message does, and causes no step. The result depends on node and event, and on nothing that
     * changes. NULL: each event is for all targets. */
    int (*takes)(uint32_t node, const void *event, void *argument);
} svs_simulation_options;

SVS_API void svs_simulation_options_init_sized(svs_simulation_options *options, size_t size);
static inline void svs_simulation_options_init(svs_simulation_options *svs_options_) {
    svs_simulation_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes a simulation. Collective, outside of a run. It is freed with the rank. @return as
 * svs_event_graph_new(); SVS_E_INVALID also: no body, an end that is too late, or a lookahead that
 * is not positive: a cycle of nodes without one could not advance. */
SVS_NODISCARD SVS_API svs_status svs_simulation_new(svs_ranks *ranks,
                                                    const svs_simulation_options *options,
                                                    svs_simulation **simulation);

/* Starts the simulation: called once on each rank, in a run. `done` goes up by 1 when all nodes of
 * this rank have ended. @return SVS_WAIT, SVS_OK (this rank has no node), SVS_E_NULL,
 * SVS_E_OUTSIDE, SVS_E_STATE (started before), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_simulation_start(svs_simulation *simulation,
                                                      svs_counter *done);

/* ---- in a step ---- */

/* The number of inputs of the node, and the event of the step's time on input `which`; NULL: it has
 * none. Inputs have the order of their edges in the options. */
SVS_API uint32_t svs_simulation_inputs(const svs_simulation *simulation);
SVS_API const void *svs_simulation_input(const svs_simulation *simulation, uint32_t which);
/* Looks for an input with an event of this time, beginning with input *which. @return the event,
 * and its input in *which; NULL: there is none. For nodes with many inputs:
 *
 *     for (uint32_t i = 0; (in = svs_simulation_next_input(simulation, &i)) != NULL; i++) */
SVS_API const void *svs_simulation_next_input(const svs_simulation *simulation, uint32_t *which);

/* Sends an event to all outputs, after the step, and when they have places for it.
 * @return SVS_OK, SVS_E_NULL, SVS_E_STATE (not in a step, or a second event of it), SVS_E_INVALID
 * (a time before the step and lookahead, or not after the node's last event). */
SVS_NODISCARD SVS_API svs_status svs_simulation_send(svs_simulation *simulation, const void *event);

/* Sets the time of the node's next wake, which is after the step. It replaces the time of an
 * earlier call. SVS_EVENT_TIME_MAX: no wake. @return SVS_OK, SVS_E_NULL, SVS_E_STATE, SVS_E_INVALID
 * (not after the step). */
SVS_NODISCARD SVS_API svs_status svs_simulation_wake(svs_simulation *simulation, int64_t time);

/* The event graph of the simulation, for statistics and freezes; and the number of steps that nodes
 * of this rank have made. */
SVS_API svs_event_graph *svs_simulation_graph(const svs_simulation *simulation);
SVS_API uint64_t svs_simulation_steps(const svs_simulation *simulation);

SVS_END_DECLARATIONS
#endif
