/* Common parts of the commands: description, arguments and output. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Exit statuses. */
enum {
    TOOL_OK = 0,
    TOOL_INCONSISTENT = 1, /* the trace is readable, but describes no possible run */
    TOOL_ERROR = 2         /* wrong arguments, or a file that cannot be read or written */
};

#define TOOL_FILES_MAX 32

/* An option of one command; all commands have -o FILE and --help. */
typedef struct tool_option {
    const char *name;  /* the option's name, with its dashes */
    const char *value; /* name of the option's value in the help, "NUMBER"; NULL: no value */
} tool_option;

#define TOOL_OPTIONS_MAX 11

typedef struct tool_arguments {
    const char *files[TOOL_FILES_MAX];
    size_t file_count;
    const char *output; /* NULL: stdout */
    /* values of the command's options, in their order; NULL: not given */
    const char *values[TOOL_OPTIONS_MAX];
} tool_arguments;

typedef struct tool_command {
    const char *name;
    const char *summary; /* one line for the list of commands */
    const char *help;    /* printed by --help below the usage */
    size_t files_max;
    tool_option options[TOOL_OPTIONS_MAX]; /* terminated by an entry without a name */
    int (*run)(const tool_arguments *arguments);
} tool_command;

extern const tool_command tool_trace_info, tool_trace_verify, tool_trace_dot, tool_trace_chrome,
    tool_trace_html, tool_trace_predict;

/* Whether two strings are equal. */
static inline bool tool_same(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* Prints `svs: ...` to stderr. @return TOOL_ERROR. */
int tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs `command` with the arguments after its name. @return the exit status. */
int tool_command_run(const tool_command *command, int count, char **arguments);

/* Opens and closes the output of a command: `-o FILE`, or stdout. tool_output_close() is passed the
 * status so far. It removes a regular file that could not be written completely. @return open: NULL
 * after an error message; close: the status, or TOOL_ERROR. */
FILE *tool_output_open(const tool_arguments *arguments);
int tool_output_close(const tool_arguments *arguments, FILE *output, int status);

#endif
