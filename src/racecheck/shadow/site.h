/* Where in the program an access was: kept apart from the shadow, for as many accesses as there is
 * room; the newer replaces the older.
 *
 * operation  caller  progress
 * note       any     wait-free
 * find       any     wait-free; false when it was replaced
 *
 * Threads: any. Two notes at once may spoil each other, which find() sees. */
#ifndef SVS_RACECHECK_SHADOW_SITE_H
#define SVS_RACECHECK_SHADOW_SITE_H

#include "base/atomic.h"

/* @return false when there is no memory. */
bool svs__sites_init(void);
void svs__sites_clean_up(void);
void svs__sites_reset(void);
size_t svs__sites_bytes(void);

/* A note that was replaced. */
typedef struct svs__site_note {
    uint64_t where, whence; /* the place, and the step with its calling context */
} svs__site_note;

/* `step` accesses the cell of `bytes` from `address` on, for the first time as far as the cell
 * knows. @return what was noted there. */
svs__site_note svs__site_take(uintptr_t address, size_t bytes, uint32_t step, bool write,
                              const void *pc, uint32_t frame);
/* A note is going to be made there: its cache line is asked for. */
void svs__site_fetch(uintptr_t address, size_t bytes, bool write);
/* What the notes say of a step is said of `name(step)` instead; while others note and find. */
typedef uint32_t svs__site_name(uint32_t step, void *argument);
void svs__sites_rename(svs__site_name *name, void *argument);

/* A note of what the step was joined to will do (collapse.c).
 * @param replaced by the caller's note of an access of this kind, while it tried to change the cell
 * and another one was first: it may be that one's. */
bool svs__site_find(uintptr_t address, uint32_t step, bool write, const svs__site_note *replaced,
                    const void **pc, uint32_t *frame);

#endif
