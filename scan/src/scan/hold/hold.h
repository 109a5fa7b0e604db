/* Hand-written touch functions, held against the bodies of their tasks:
 *
 *   scan.H1  An access of the body's slice is proved when the touch function names it, in its mode
 *            and on no further condition.
 *   scan.H2  It is missing, which is an error, when its place is known, and the touch function
 *            names neither this place nor one that may be the same. Otherwise it is not proved.
 *   scan.H3  An access with an address that is not known before the instance runs is missing when
 *            its pointer can lead to variables only (memory.h), and the touch function names in its
 *            mode none of these and no unknown memory. Elements of an array are one place. Memory
 *            with an owner is left to the owner. An access to memory that a function makes is not
 *            proved. */
#ifndef SCAN_HOLD_HOLD_H
#define SCAN_HOLD_HOLD_H

#include "scan/points/memory.h"
#include "scan/slice/slice.h"

/* Compares the touch function of a task with its body. What is not proved becomes a note, and so
 * does what the touch function names beyond the slice, with its cost. With `notes`, notes are
 * printed. */
void hold_touch(const memory *m, const memory_task *of, bool notes);

#endif
