/* The recorder of graphs (seen.h): the functions that a trace's observer calls for graphs. */
#ifndef SVS_STEALTREE_SEEN_RECORD_H
#define SVS_STEALTREE_SEEN_RECORD_H

#include "stealtree/record.h"
#include "stealtree/seen.h"

/* The `graphs` of the observers of recorders. */
extern const svs__graph_observer svs__recorder_graphs;

#endif
