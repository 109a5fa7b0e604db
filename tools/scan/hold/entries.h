/* The accesses of two functions that are compared: a touch function, and the slice of a body. */
#ifndef SCAN_HOLD_ENTRIES_H
#define SCAN_HOLD_ENTRIES_H

#include "scan/slice/slice.h"

/* An access of a touch function, or of the slice of a body. */
typedef struct hold_entry {
    const residue_step *step;
    const char *text; /* what it names, without variables of its own; NULL: not known */
    SCAN_LIST(const char) conditions;
    bool used; /* of the touch function: the slice has it, too */
} hold_entry;

typedef struct hold_entries {
    SCAN_LIST(hold_entry) all;
    SCAN_LIST(const char) conditions; /* around the step that is looked at */
    SCAN_LIST(const residue_step) sets;
    bool written; /* by hand: what it names behind a condition that is dropped, it may not name */
    bool jumps;   /* the touch function may have ended before */
} hold_entries;

hold_entries hold_entries_of(const residue_block *block, bool written);

/* A condition of the one access that the other one does not have, or NULL; `loops`: that it is in
 * a loop is one. */
const char *hold_extra_condition(const hold_entry *written, const hold_entry *sliced, bool loops);
bool hold_is_in_loop(const char *condition);

#endif
