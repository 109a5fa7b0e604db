/* SvS on several ranks: the distributed half. Link svs::ranks (pkg-config: svs-ranks).
 *
 *   ranks/rank.h    ranks, their options, runs and failures
 *   ranks/fiber.h   fibers, counters, schedulers
 *   ranks/thread.h  threads, with and without stacks
 *   ranks/post.h    records for other ranks, and their handlers
 *   ranks/distributed.h  objects with a part on each rank; barriers, reductions, broadcasts
 *   ranks/bulk.h    reads and writes of the memory of other ranks
 *   ranks/offload.h  asyncs and task graphs alongside the fibers of a rank
 *   ranks/snapshot.h  periods in which no mutation of an object is in progress
 *   ranks/structure.h  distributed data structures of the program
 *   ranks/hash.h    hash tables over all ranks
 *   ranks/observe.h  functions that are told what a rank does, for profilers
 *   ranks/bipartite.h  bipartite graphs over all ranks, with copies of the nodes of others
 *   ranks/stealer.h  pools of tasks that move from rank to rank, until none is left
 *   ranks/object_layer.h  objects of one rank, with versions, and cached copies on the others
 *   ranks/event_graph.h  graphs with bounded queues of events between nodes
 *   ranks/simulation.h  simulation of discrete events on an event graph
 *
 * ranks/docs/ranks.md has a first program. */
#ifndef SVS_RANKS_H
#define SVS_RANKS_H

#include <svs/ranks/bipartite.h>
#include <svs/ranks/bulk.h>
#include <svs/ranks/distributed.h>
#include <svs/ranks/event_graph.h>
#include <svs/ranks/hash.h>
#include <svs/ranks/object_layer.h>
#include <svs/ranks/observe.h>
#include <svs/ranks/offload.h>
#include <svs/ranks/post.h>
#include <svs/ranks/simulation.h>
#include <svs/ranks/snapshot.h>
#include <svs/ranks/stealer.h>
#include <svs/ranks/structure.h>
#include <svs/ranks/thread.h>
#include <svs/svs.h>

#endif
