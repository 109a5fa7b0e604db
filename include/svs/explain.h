/* What the declarations of a graph's tasks cost: which accesses of their footprints keep instances
 * from running in parallel.
 *
 *     svs_explain_begin(graph, 0);
 *     svs_graph_run(graph, 1, NULL);
 *     svs_explain(graph, text, sizeof text);
 *     puts(text);
 *
 *     explain particles: 2000 instances
 *     task force: 2000 instances, mean width 40.0
 *       reads cells: without it the same
 *       writes grid: without it the mean width would be 50.0 times larger
 *       40 instances contend for grid[17], as instance 3 (writes) and instance 9 (writes)
 *       one worker runs them: an instance takes 31 ns, and 88 ns if all workers share them. Its
 *       body takes 12 ns: with the work of 11 in one item, sharing is worth it
 *
 * The run takes a sample: the footprints of instances, before they start. svs_explain() divides the
 * instances of each task into sets without a conflict, by first fit in the order of their arrival.
 * The mean width of these sets is the number of instances of the task that could run in parallel if
 * all were waiting. Elements are compared exactly, so the result does not depend on the algorithm,
 * the number of workers, or hashing. Then svs_explain() omits each declaration of the task in turn.
 *
 * A declaration is all accesses of one mode to a space, to addresses, to objects of a type, or to
 * what is reached from objects of a type. If a declaration costs much width and is not needed,
 * remove it. If it is needed, divide the data, or turn a write into a read.
 *
 * The last line is about bodies that were measured to be too short to share (docs/scaling.md). It
 * appears after some thousand instances, when both ways were measured.
 *
 * Threads: as those of <svs/graph.h>, not while the graph runs. */
#ifndef SVS_EXPLAIN_H
#define SVS_EXPLAIN_H

#include <svs/graph.h>

SVS_BEGIN_DECLARATIONS

/* Later runs take a sample, until svs_explain_end(). An earlier sample is dropped. Sampling takes
 * memory, and about as much time as computing the footprints.
 * @param instances the maximum number of instances sampled for each task; 0: 2,048.
 * @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (the graph runs), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_explain_begin(svs_graph *graph, uint32_t instances);

/* Writes the result as lines of text, at most `size` bytes with the terminating zero. Spaces that
 * the footprints named must still exist. For each declaration of a task, the call takes time
 * proportional to the number of sampled instances of the task times the number of sets that they
 * form.
 * @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (the graph runs), SVS_E_STATE (no sample was begun),
 * SVS_E_LIMIT (the text is longer and was cut), SVS_E_NO_MEMORY (in this call, or earlier while the
 * sample was taken). */
SVS_NODISCARD SVS_API svs_status svs_explain(svs_graph *graph, char *text, size_t size);

/* Drops the sample, as svs_graph_free() does. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY. */
SVS_NODISCARD SVS_API svs_status svs_explain_end(svs_graph *graph);

SVS_END_DECLARATIONS
#endif
