/* The slice: a walk over a task's body, with the functions that it calls, that leaves a residue
 * (residue.h). The rules are numbered here and cited in the code:
 *
 * scan.I1  Two expressions that lead to one byte have one identity, or identities that conflict.
 *          Lvalues have one form, of an object, fields and indices (maker_convert()), and each step
 *          of that form gives the place its name: name_record(), name_member(), name_element() and
 *          name_target(). A union that pointers may lead into has no identity but everything.
 * scan.I2  A name of a touch function means what it does in the body: the compiler refuses the
 *          header where one is a macro (emit.c).
 * scan.R1  A value is known when it is made of the item, of constants, and of memory that no task
 *          writes (effects.h). Everything else is unknown.
 * scan.R2  A condition that is not known is dropped: the residue has both branches, in sequence. In
 *          `a && b` the known half stays.
 * scan.R3  A variable that is set in code that the body may not reach is unknown, unless its scope
 *          ends with that code.
 * scan.R4  A jump that is not known is dropped. Code after it, up to its target, may not be reached
 *          (R3, R6); in a loop, the same holds for code before it.
 * scan.R5  A loop stays a loop when all its exits are known and it is surely reached, or when it
 *          counts up to a bound. If all its exits are known but it may not be reached, it stays a
 *          loop, and after a few thousand rounds it names everything. Otherwise its body is
 *          followed once, with all variables that it sets unknown.
 * scan.R6  Code that may not be reached never faults: a pointer is compared with NULL before a
 *          load, and an index with the length of its array. An element of an array without a known
 *          length is not known; neither is a quotient.
 * scan.R7  An access of a place with an unknown address is widened: to a path of links, to
 *          everything along links, to the owner, to everything.
 * scan.R8  The identity of a place is the same in all tasks: the header of a memory object, the
 *          owner of a part, the address of a struct, of an array's element or of a variable. A
 *          field has its own when its address is taken. Fields that two tasks distinguish have
 *          different identities (effects.h). An array that some task accesses at an unknown index
 *          is one place.
 * scan.R9  A recursive call joins its arguments to those of the first call.
 * scan.R10 A call through a pointer may reach each function of its type that is used as a value.
 * scan.R11 A relaxed or atomic store is a write. A relaxed load is no access, and not known.
 * scan.R12 Paths follow the links as they are when the instance starts. When the body follows a
 *          link that it may have set itself, it accesses everything along links from each object
 *          that it sets a link to.
 * scan.R13 A function of SVS_TOUCH_OF has its touch function in the place of its body: the places
 *          that it names are accesses, under the rules above, and its result is not known. */
#ifndef SCAN_SLICE_SLICE_H
#define SCAN_SLICE_SLICE_H

#include "scan/program/calls.h"
#include "scan/slice/residue.h"

/* A reason for a widening, with its place in the source. */
typedef struct slice_note {
    scan_place place;
    const char *text;
} slice_note;

typedef struct slice_result {
    residue_block body;
    SCAN_LIST(slice_note) notes;
    size_t everything; /* number of accesses that became accesses of everything */
} slice_result;

/* Makes the touch function of a task. `*again` becomes true when another array became one place
 * (R8): then all tasks must be sliced again. */
slice_result slice_task(scan_program *program, const scan_task *task, bool *again);

/* slice_task() before residue_tidy() drops accesses that others cover. */
slice_result slice_whole(scan_program *program, const scan_task *task, bool *again);

/* The accesses that a hand-written touch function names. */
slice_result slice_touch(scan_program *program, const scan_task *task);

#endif
