/* Verdicts on what an instance touches, piece by piece: on the access alone (is it declared?), and
 * on it and an earlier one that nothing orders (is there an object that keeps the two apart?).
 *
 *     svs__graph_judge_alone(&piece, &findings);
 *     for each entry that is not before it: svs__graph_judge_pair(&piece, entry, &findings);
 *
 * Threads: the one that runs the instance, with the lock of the piece's page. Findings are reported
 * when it is let go of. */
#ifndef SVS_RACECHECK_GRAPH_JUDGE_H
#define SVS_RACECHECK_GRAPH_JUDGE_H

#include "racecheck/graph/report.h"

/* Bytes of one block of eight, all with the same owners. */
typedef struct svs__piece {
    svs__check_thread *self;
    const svs__instance *instance;
    svs__owner *owners[SVS__OWNERS];
    uint32_t owner_count;
    uintptr_t block;
    uint8_t bytes; /* one bit each */
    bool linked;
    bool is_workers; /* all of the access so far is the running worker's own */
    svs__entry now;  /* as it will be remembered */
} svs__piece;

#define SVS__FINDINGS 32u /* of eight bytes; further ones are not told */

typedef struct svs__findings {
    svs__graph_finding items[SVS__FINDINGS];
    uint32_t count;
} svs__findings;

/* The address of the first one of these bytes of the piece's block. */
static inline uintptr_t svs__piece_address(const svs__piece *p, uint8_t bytes) {
    return p->block + (uintptr_t)__builtin_ctz(bytes);
}

void svs__graph_judge_alone(const svs__piece *p, svs__findings *f);
void svs__graph_judge_pair(const svs__piece *p, const svs__entry *e, svs__findings *f);

#endif
