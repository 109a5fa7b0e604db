/* What a world does at quiescence, above reachability and storage. Its state:
 * core/world_state.h. */
#ifndef SVS_MEMOBJ_WORLD_H
#define SVS_MEMOBJ_WORLD_H

#include "memobj/core/world_state.h"

/* At the end of an iteration: refreshes when that is due and releases what was freed, if the
 * calling run is alone inside (memobj.W2). `worker` NULL: serially. Only the refresh can fail,
 * which leaves the signatures sound. */
void svs__world_quiesce(svs_world *world, svs__worker *worker);
/* svs__world_quiesce() for a caller that holds `entry` with no other run inside. */
void svs__world_tidy(svs_world *world, svs__worker *worker);

#endif
