/* SvS, Synchronization via Scheduling: tasks that never race, without a lock in the program.
 *
 * The library computes the memory that each task instance may access before the instance starts.
 * Two instances run in parallel only if their accesses cannot conflict.
 *
 * Start here. <svs/graph.h> includes all headers of this list except shape.h:
 *   runtime.h    the workers
 *   world.h      the container of memory objects and index spaces
 *   object.h     memory objects, links, index spaces, relaxed fields
 *   footprint.h  the memory that an instance may access
 *   task.h       task types: body, footprint, item
 *   shape.h      task types with a list of fields for a footprint
 *   graph.h      tasks, dependencies, runs, statistics
 *
 * Asyncs, for recursive work, alone or inside of bodies:
 *   async.h      tasks that spawn tasks: async and finish
 *
 * Later, to find out why a program is not faster:
 *   explain.h    what declarations cost: which of them keep instances from running in parallel
 *   observe.h    callbacks for instances and stages, for a profiler
 *   measure.h    work and span
 *   trace.h      recording of runs; steal trees, and their replay
 *   retain.h     retentive stealing: steals repeated from iteration to iteration
 *
 * For the thesis' experiments:
 *   members.h    memory objects that embed others
 *
 * <svs/check.h>, the race check, and <svs/must.h>, SVS_MUST for main(), are not included here.
 * docs/glossary.md defines the terms. */
#ifndef SVS_SVS_H
#define SVS_SVS_H

#include <svs/async.h>
#include <svs/explain.h>
#include <svs/graph.h>
#include <svs/measure.h>
#include <svs/members.h>
#include <svs/observe.h>
#include <svs/retain.h>
#include <svs/shape.h>
#include <svs/trace.h>
#include <svs/version.h>

#endif
