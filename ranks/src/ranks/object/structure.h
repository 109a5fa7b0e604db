/* Structures of the program on one rank (svs/ranks/structure.h).
 *
 *     making --all have made it--> made --svs_structure_free()--> freeing --all have--> freed
 *
 *   ranks.D3  The number of a structure's handler belongs to it until the end of the run in which
 *             it was freed: no record in flight ever meets the handler of another structure.
 *   ranks.D4  Each record has at most one reply. (not asserted: input of the program, refused by
 *             svs_reply())
 *
 * Outside of a run, a structure is made or freed by an agreement on its name and handlers, and all
 * ranks take the first free numbers. In a run rank 0 takes them, and a reduction tells the others
 * the numbers and compares the handlers; a barrier follows, so that no record comes before its
 * handler. To free is a barrier. A fiber waits for each of these, so that a call that some ranks
 * alone have made is a deadlock, which is reported.
 *
 * A freed structure is kept until the end of the run, for its name in messages and its numbers. */
#ifndef SVS__RANKS_OBJECT_STRUCTURE_H
#define SVS__RANKS_OBJECT_STRUCTURE_H

#include "ranks/state.h"

/* After a run that succeeded: the numbers of freed structures are free. */
void svs__structures_end_run(svs_ranks *ranks);
/* Of a deadlock: says which structures wait for other ranks. */
void svs__structures_tell(const svs_ranks *ranks);
/* Of a rank that has died: adds to the failure's text what structures of this rank wait for. */
void svs__structures_add_waits(svs_ranks *ranks);
void svs__structures_clean_up(svs_ranks *ranks);

#endif
