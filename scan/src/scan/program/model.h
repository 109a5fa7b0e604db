/* What the program tells the library: task types, memory objects and annotations, found in the
 * variables and constants that the macros of <svs/task.h>, <svs/object.h> and <svs/scan.h>
 * define. */
#ifndef SCAN_PROGRAM_MODEL_H
#define SCAN_PROGRAM_MODEL_H

#include "scan/program/ast.h"

void model_find(scan_program *program);

#endif
