/* Inserts of equal keys are merged before they are posted: items wait in a direct-mapped array. One
 * that comes is merged with that of its key, or takes the place of another one, which goes to the
 * spill, and is posted with all of that.
 *
 *     svs__combine_all(hash, items, count, &accepted);    // as svs_hash_insert_all()
 *     svs__combine_post_key(hash, key)                    // before another operation on it
 *     svs__combine_post_all(hash, &to)                    // before a sync
 *
 * Items for this rank are combined, too: it costs less than to tell them apart.
 *
 *   structures.H11  An item that waits is a mutation that has begun; one that is merged has ended.
 *                   While some wait, a fiber exists that posts them.
 *   structures.H12  Before another operation of this rank on a key is issued, the item of the key
 *                   that waits is posted.
 *
 * The fiber is enabled again as long as inserts come between two of its executions, or until the
 * snapshot is not open; then it posts all. So items wait while their rank is busy with inserts, and
 * neither a freeze nor the end of a run waits for more than the fibers that are enabled.
 *
 * If less than one in eight of SVS__COMBINE_SAMPLE items has been merged, all that waits is posted,
 * and the next SVS__COMBINE_PAUSE items are not combined: with keys that are all different,
 * combining costs little. */
#ifndef SVS_STRUCTURES_HASH_COMBINE_H
#define SVS_STRUCTURES_HASH_COMBINE_H

#include "base/memory.h"
#include <svs/ranks/hash.h>

#define SVS__COMBINE_SAMPLE 4096u
#define SVS__COMBINE_PAUSE 131072u
#define SVS__COMBINE_SPILL_BYTES 4096u

typedef struct svs__hash_combiner {
    uint32_t *tags;       /* of each slot: the lower half of its key's hash, not 0; 0: it is free */
    unsigned char *items; /* of each slot */
    uint32_t count,
        shift; /* slots, a power of two; 0: nothing is combined. Of a hash, to its slot */
    unsigned char *spill;     /* items that were replaced, older than those of the slots */
    uint32_t spilled, posted; /* items of the spill; those of them that are posted */
    uint32_t waiting;         /* items in slots, and in the spill */
    uint32_t pause;           /* items that are not looked at before the next sample */
    uint32_t sampled, hits;   /* items of this sample so far; those that were merged */
    bool few;                 /* of the last sample: a pause begins when nothing waits any more */
    bool flusher;             /* the fiber exists */
    uint64_t given, seen;     /* items so far; when the fiber was executed last */
    uint64_t merged;          /* items */
} svs__hash_combiner;

/* @param entries 0: nothing is combined. @return false: no memory. */
bool svs__combine_init(svs_hash *hash, uint32_t entries);
void svs__combine_clean_up(svs_hash *hash);

/* Takes the first items of an array. Their mutations have begun. @param accepted is added to.
 * @return as svs_post(): SVS_WAIT stops at the first item that is not accepted. */
svs_status svs__combine_all(svs_hash *hash, const unsigned char *items, size_t count,
                            size_t *accepted);

/* Posts the item of a key, if it waits. @return as svs_post(). */
svs_status svs__combine_post_key(svs_hash *hash, const void *key);
/* Posts all that waits. @param to the rank without credit, if it returns SVS_WAIT.
 * @return as svs_post(). */
svs_status svs__combine_post_all(svs_hash *hash, uint32_t *to);

#endif
