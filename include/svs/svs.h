/* SvS, Synchronization via Scheduling: tasks that never race, without a lock in the program.
 *
 * The library works out what memory each task instance may touch before it runs, and never runs two
 * instances together whose accesses may conflict.
 *
 *   runtime.h    the workers
 *   async.h      tasks that spawn tasks: async and finish
 *   measure.h    work and span
 *   trace.h      what was stolen: recorded, replayed
 *   retain.h     what was stolen, kept from iteration to iteration
 *   world.h      where memory objects live
 *   object.h     memory objects, links, index spaces, relaxed fields
 *   footprint.h  what an instance may touch
 *   task.h       bodies and items
 *   graph.h      tasks, dependencies, runs, statistics */
#ifndef SVS_SVS_H
#define SVS_SVS_H

#include <svs/async.h>
#include <svs/graph.h>
#include <svs/measure.h>
#include <svs/retain.h>
#include <svs/trace.h>
#include <svs/version.h>

#endif
