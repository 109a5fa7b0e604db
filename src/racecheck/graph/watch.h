/* The parts of what the scheduler and the memory objects call while a check is on: the functions of
 * svs__object_watcher (hooks/object_hooks.h), each where its subject is. */
#ifndef SVS_RACECHECK_GRAPH_WATCH_H
#define SVS_RACECHECK_GRAPH_WATCH_H

#include "hooks/object_hooks.h"

/* run.c */
void *svs__graph_run_begins(const svs__watched_graph *graph);
void svs__graph_run_lost(const svs_world *world);
void svs__graph_iteration_ends(void *run);
void svs__graph_run_ends(void *run);

/* instance.c */
void *svs__graph_begins(const svs__watched_instance *told, svs__worker *worker, void *top);
void svs__graph_ends(void *instance, svs__worker *worker);

/* sends.c */
void svs__graph_sends(void *instance, uint64_t (*order)(uint64_t of, uint64_t number), uint64_t of,
                      uint64_t from, size_t count);

/* object.c */
void svs__graph_made(const svs_object *object);
void svs__graph_handed_off(const svs_object *object);
void svs__graph_gone(const svs_object *object);
void svs__graph_links(const void *field, const void *pc);
void svs__graph_world_gone(const svs_world *world);

#endif
