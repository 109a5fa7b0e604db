/* The accesses of two functions that are compared: a touch function, and the slice of a body. */
#ifndef SCAN_HOLD_ENTRIES_H
#define SCAN_HOLD_ENTRIES_H

#include "scan/slice/slice.h"

/* An access of a touch function, or of the slice of a body. */
typedef struct hold_entry {
    const residue_step *step;
    /* the text of the place, without variables of the function; NULL: not known */
    const char *text;
    SCAN_LIST(const char) conditions;
    bool used; /* for an entry of the touch function: the slice has the same access */
} hold_entry;

typedef struct hold_entries {
    SCAN_LIST(hold_entry) all;
    SCAN_LIST(const char) conditions; /* the conditions around the present step */
    SCAN_LIST(const residue_step) sets;
    /* the function is written by hand: after a dropped condition its accesses count as possible
     * only */
    bool written;
    bool jumps; /* the touch function may have returned before this step */
} hold_entries;

hold_entries hold_entries_of(const residue_block *block, bool written);

/* A condition of the access `written` that the access `sliced` does not have, or NULL. @param loops
 * whether to be in a loop counts as a condition. */
const char *hold_extra_condition(const hold_entry *written, const hold_entry *sliced, bool loops);
bool hold_is_in_loop(const char *condition);

#endif
