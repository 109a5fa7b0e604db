/* The body of both engines. The engine defines TASK(item, run), which makes its task type. */
#include <svs/scan.h>

#include "queues.h"

SVS_TYPE(person, svs, next)
SVS_TYPE(queue, svs, first)

/* Moves the first person, if there is one. */
static svs_status move_run(svs_context *x, move *m) {
    person *moved = m->from->first;
    (void)x;
    if (!moved) return SVS_OK;
    svs_status status = svs_link(m->from, first, moved->next);
    if (!status) status = svs_link(moved, next, m->to->first);
    if (!status) status = svs_link(m->to, first, moved);
    moved->moves++;
    return status;
}
TASK(move, move_run)
