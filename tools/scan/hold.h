/* Hand-written touch functions, held against the bodies of their tasks. */
#ifndef SCAN_HOLD_H
#define SCAN_HOLD_H

#include "slice.h"

/* Each access of the body's slice is proved (the touch function names it, in its mode and on no
 * further condition), missing (an error: what it names is known, and is neither this nor anything
 * that may be it), or not proved (a note). What the touch function names beyond that is a note,
 * with its cost. With `notes`, notes are printed. */
void hold_touch(scan_program *program, const scan_task *task, bool notes);

#endif
