/* What a world does at quiescence. It uses reachability and storage. core/world_state.h has the
 * state of a world. */
#ifndef SVS_MEMOBJ_WORLD_H
#define SVS_MEMOBJ_WORLD_H

#include "memobj/core/world_state.h"

/* At the end of an iteration: if the calling run is alone inside (memobj.W2), refreshes signatures
 * when that is due, and releases freed objects. `worker` is the caller, whose runtime runs the
 * refresh in parallel; NULL: the caller is no run, and the refresh is serial. Only the refresh can
 * fail, which leaves the signatures sound. */
void svs__world_quiesce(svs_world *world, svs__worker *worker);
/* svs__world_quiesce() for a caller that holds `entry` with no other run inside. */
void svs__world_tidy(svs_world *world, svs__worker *worker);

#endif
