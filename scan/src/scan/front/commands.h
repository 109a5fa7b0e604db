/* The flags of compile_commands.json, which CMake, Meson and others write. */
#ifndef SCAN_FRONT_COMMANDS_H
#define SCAN_FRONT_COMMANDS_H

#include "scan/front/clang.h"

/* Adds the flags with which the file is compiled, before the flags in `options`, and the folder in
 * which clang runs. Ends the program with a message when the build does not compile the file.
 * @return the file's whole path. */
const char *commands_flags(const char *build, const char *file, clang_options *options);

#endif
