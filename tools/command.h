/* What the commands share: their table, their arguments, and where their output goes. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Exit statuses. */
enum {
    TOOL_OK = 0,
    TOOL_INCONSISTENT = 1, /* the trace could be read, and cannot have happened */
    TOOL_ERROR = 2         /* wrong arguments, a file that cannot be read or written */
};

#define TOOL_FILES_MAX 32

/* An option of one command; -o FILE and --help are everyone's. */
typedef struct tool_option {
    const char *name;  /* with its dashes */
    const char *value; /* in the help, "NUMBER"; NULL: it takes none */
} tool_option;

#define TOOL_OPTIONS_MAX 6

typedef struct tool_arguments {
    const char *files[TOOL_FILES_MAX];
    size_t file_count;
    const char *output; /* NULL: stdout */
    const char
        *values[TOOL_OPTIONS_MAX]; /* of the command's options, in its order; NULL: not given */
} tool_arguments;

typedef struct tool_command {
    const char *name;
    const char *summary; /* one line, for the list */
    const char *help;    /* what --help says below the usage */
    size_t files_max;
    tool_option options[TOOL_OPTIONS_MAX]; /* the first without a name ends them */
    int (*run)(const tool_arguments *arguments);
} tool_command;

extern const tool_command tool_trace_info, tool_trace_verify, tool_trace_dot, tool_trace_chrome,
    tool_trace_html, tool_trace_predict;

/* Are the two the same? */
static inline bool tool_same(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* Says `svs: ...` on stderr. @return TOOL_ERROR. */
int tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs `command` with its arguments, those behind its name. @return the exit status. */
int tool_command_run(const tool_command *command, int count, char **arguments);

/* What a command prints goes to `-o FILE`, or stdout: open it, print, and close it with the status
 * so far. A file that could not be written as a whole is removed, unless it is a device or a pipe.
 * @return NULL, after it has said why; the status, or TOOL_ERROR. */
FILE *tool_output_open(const tool_arguments *arguments);
int tool_output_close(const tool_arguments *arguments, FILE *output, int status);

#endif
