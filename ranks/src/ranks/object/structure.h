/* Structures of the program on one rank (svs/ranks/structure.h).
 *
 *     making --all have made it--> made --svs_structure_free()--> freeing --all have--> freed
 *
 *   ranks.D3  The number of a structure's handler belongs to it until the end of the run in which
 *             it was freed: a record in flight is never passed to a handler of another structure.
 *   ranks.D4  Each record has at most one reply. (not asserted: input of the program, refused by
 *             svs_reply())
 *
 * Outside of a run, a structure is made or freed by an agreement on its name and handlers, and all
 * ranks take the first free numbers. In a run, rank 0 takes the numbers; a reduction tells them to
 * the others and compares the handlers, and a barrier follows, so that no record comes before its
 * handler. Freeing is one barrier. A fiber waits for each of these operations, so a call that only
 * some ranks make is reported as a deadlock.
 *
 * A freed structure is kept until the end of the run, because messages name it and its numbers are
 * not free yet. */
#ifndef SVS__RANKS_OBJECT_STRUCTURE_H
#define SVS__RANKS_OBJECT_STRUCTURE_H

#include "ranks/state.h"

/* Called after a run that succeeded: frees the numbers of freed structures. */
void svs__structures_end_run(svs_ranks *ranks);
/* Logs at a deadlock which structures wait for other ranks. */
void svs__structures_tell(const svs_ranks *ranks);
/* After the death of a rank: adds to the failure's text what structures of this rank wait for. */
void svs__structures_add_waits(svs_ranks *ranks);
void svs__structures_clean_up(svs_ranks *ranks);

#endif
