/* Writes residues as C: the header that SVS_SCANNED includes for one source file. */
#ifndef SCAN_EMIT_EMIT_H
#define SCAN_EMIT_EMIT_H

#include "scan/points/pairs.h"
#include "scan/slice/slice.h"

typedef enum emit_what {
    EMIT_SCANNED, /* touch functions of scanned tasks */
    EMIT_INSTEAD, /* also for hand-written touch functions */
    EMIT_COMPARE  /* slices next to the hand-written touch functions, to compare them */
} emit_what;

/* The text of the header for the scanned tasks of a file. `results` are those of all tasks of the
 * program, in its order, and `found` their pairs. `path` is the header's own, for #line. */
const char *emit_header(const scan_program *program, const scan_unit *unit,
                        const slice_result *results, const pairs *found, const char *path,
                        emit_what what);

#endif
