/* Hand-written touch functions, held against the bodies of their tasks:
 *
 *   scan.H1  An access of the body's slice is proved when the touch function names it, in its mode
 *            and on no further condition.
 *   scan.H2  It is missing, which is an error, when what it names is known, and the touch function
 *            names neither this nor anything that may be it. Otherwise it is not proved.
 *   scan.H3  An access with an address that is not known before the instance runs is missing when
 *            all that its pointer may lead to are variables (memory.h), and the touch function
 *            names none of them in its mode, nor memory of which nothing is known. Elements of an
 *            array are one place. Memory with an owner is left to the owner. An access to what a
 *            function makes is not proved. */
#ifndef SCAN_HOLD_HOLD_H
#define SCAN_HOLD_HOLD_H

#include "scan/points/memory.h"
#include "scan/slice/slice.h"

/* What is not proved is a note, and so is what the touch function names beyond the slice, with its
 * cost. With `notes`, notes are printed. */
void hold_touch(const memory *m, const memory_task *of, bool notes);

#endif
