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
 *
 * The run takes a sample: the footprints of instances, before they start. svs_explain() divides the
 * instances of each task into sets without a conflict, by first fit in the order of their arrival.
 * The mean width is that of these sets: how many instances of the task could run in parallel if all
 * of them waited. It compares elements exactly, so that it depends on no algorithm, number of
 * workers, or hash. Then it leaves out one declaration of the task after the other.
 *
 * A declaration is what an access names, of one mode: a space, the addresses, a type of objects, or
 * what is found from objects of a type. A declaration that costs much and is not needed should go;
 * one that is needed tells where data should be divided, or a write be a read.
 *
 * Threads: as those of <svs/graph.h>, not while the graph runs. */
#ifndef SVS_EXPLAIN_H
#define SVS_EXPLAIN_H

#include <svs/graph.h>

SVS_BEGIN_DECLARATIONS

/* The runs from here on take a sample, until svs_explain_end(). A sample of before is dropped. It
 * takes memory, and about as much time as the footprints do.
 * @param instances the most of each task; 0: 2,048.
 * @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (the graph runs), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_explain_begin(svs_graph *graph, uint32_t instances);

/* Writes what the sample tells, in lines, at most `size` bytes with the end. The spaces that the
 * footprints have named must exist still. Costs about the number
 * of sampled instances of each task times the sets into which they are divided, for each
 * declaration.
 * @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (the graph runs), SVS_E_STATE (no sample was begun),
 * SVS_E_LIMIT (the text is longer and was cut), SVS_E_NO_MEMORY (also: of the sample). */
SVS_NODISCARD SVS_API svs_status svs_explain(svs_graph *graph, char *text, size_t size);

/* Drops the sample. svs_graph_free() does so, too. @return SVS_OK, SVS_E_NULL, SVS_E_BUSY. */
SVS_NODISCARD SVS_API svs_status svs_explain_end(svs_graph *graph);

SVS_END_DECLARATIONS
#endif
