/* svs trace predict --windows. */
#ifndef TOOL_TRACE_WINDOWS_H
#define TOOL_TRACE_WINDOWS_H

#include "command.h"

/* Nanoseconds as text; NULL: as measured in the first FILE. */
typedef struct tool_windows_options {
    const char *make, *walk, *run, *line;
} tool_windows_options;

/* Simulates the windows of the first FILE, and compares each FILE. @return the exit status. */
int tool_predict_windows(const tool_arguments *arguments, const tool_windows_options *options);

#endif
