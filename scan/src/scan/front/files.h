/* Scans files: each is reduced to facts in a process of its own, as many at once as there are
 * processors. So a process has the tree of one file in memory. */
#ifndef SCAN_FRONT_FILES_H
#define SCAN_FRONT_FILES_H

#include "scan/front/clang.h"
#include "scan/program/ast.h"

typedef SCAN_LIST(const char) scan_files;

/* Adds the facts of sources. `commands`: the folder of compile_commands.json, or NULL. */
void files_scan(scan_program *program, const scan_files *sources, const clang_options *options,
                const char *commands);
/* Adds facts that were written before. */
void files_link(scan_program *program, const scan_files *facts);

#endif
