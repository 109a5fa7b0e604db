/* The front end: clang's syntax tree of one file, boiled down to facts. Facts are JSON in clang's
 * form, with fewer members and declarations: what the functions of the file name, and the names
 * that the file sees. Each node has its place, "at":"line:column", and "file" where that
 * changes. */
#ifndef SCAN_FRONT_CLANG_H
#define SCAN_FRONT_CLANG_H

#include "scan/front/tree.h"

typedef struct clang_options {
    const char *program; /* NULL: clang, or the newest clang-N in the path */
    const char *folder;  /* the folder in which clang runs, or NULL */
    const char **flags;  /* flags of the compiler that affect the meaning of a file */
    size_t flag_count;
    const char *depfile, *deptarget; /* a make rule to write, or NULL */
} clang_options;

/* The path of clang, 14 or newer. Fails with a message when there is none, or when it is too old.
 * Once in a run it also lets clang parse a small program, and fails unless the output has the form
 * that the scan reads. */
const char *clang_find(const clang_options *options);

/* The facts of a file. Ends the program with clang's messages when clang cannot read the file. */
json *clang_facts(const clang_options *options, const char *file);

/* ---- the inside ---- */

typedef struct clang_process {
    int process; /* id of the process; -1: the program cannot be run */
    int output;
} clang_process;

/* Starts a program, whose output can be read from `output`. */
clang_process clang_begin(const char **arguments, const char *folder, bool quiet);
/* Closes the output, and waits for the program. @return its exit status, or -1. */
int clang_end(clang_process clang);
/* Runs a clang for the syntax tree of a file. @return whether clang could read the file. */
bool clang_tree(scan_arena *arena, const char *program, const clang_options *options,
                const char *file, bool quiet, tree *found);
/* The facts of a tree. Ends the program with a message when the tree breaks off.
 * @return NULL when it is empty. */
json *clang_boil(scan_arena *arena, const tree *found, const char *file);

#endif
