#include "command.h"
#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>

int tool_error(const char *format, ...) {
    va_list values;
    fputs("svs: ", stderr);
    va_start(values, format);
    /* clang-tidy 14 does not see the va_start() one line above. */
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    return TOOL_ERROR;
}

/* The system's text for errno. */
static const char *why(void) {
    return strerror(errno); /* NOLINT(concurrency-mt-unsafe): there is one thread */
}

static int help(const tool_command *command) {
    printf("usage: svs trace %s [-o FILE]", command->name);
    for (size_t i = 0; i < TOOL_OPTIONS_MAX && command->options[i].name; i++) {
        const tool_option *option = &command->options[i];
        printf(option->value ? " [%s %s]" : " [%s]", option->name, option->value);
    }
    printf(command->files_max > 1 ? " FILE [FILE...]\n\n%s" : " FILE\n\n%s", command->help);
    return TOOL_OK;
}

/* @return the address for the option's value; NULL: the command has no such option. */
static const char **option_slot(const tool_command *command, tool_arguments *parsed,
                                const char *name, bool *has_value) {
    *has_value = true;
    if (tool_same(name, "-o") || tool_same(name, "--output")) return &parsed->output;
    for (size_t i = 0; i < TOOL_OPTIONS_MAX && command->options[i].name; i++) {
        if (!tool_same(name, command->options[i].name)) continue;
        *has_value = command->options[i].value != NULL;
        return &parsed->values[i];
    }
    return NULL;
}

static int parse(const tool_command *command, int count, char **arguments, tool_arguments *parsed) {
    bool only_files = false;
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i], **slot;
        bool has_value;
        if (!only_files && tool_same(argument, "--")) {
            only_files = true;
        } else if (only_files || argument[0] != '-') {
            if (parsed->file_count == command->files_max)
                return tool_error("svs trace %s takes %s%zu; '%s' is one too many", command->name,
                                  command->files_max > 1 ? "at most " : "", command->files_max,
                                  argument);
            parsed->files[parsed->file_count++] = argument;
        } else if (!(slot = option_slot(command, parsed, argument, &has_value))) {
            return tool_error("svs trace %s has no option '%s'; `svs trace %s --help` lists them",
                              command->name, argument, command->name);
        } else if (!has_value) {
            *slot = argument;
        } else if (i + 1 == count) {
            return tool_error("%s needs a value after it", argument);
        } else {
            *slot = arguments[++i];
        }
    }
    if (parsed->file_count == 0)
        return tool_error("svs trace %s needs the file of a trace; `svs trace --help` says how to "
                          "record one",
                          command->name);
    return TOOL_OK;
}

int tool_command_run(const tool_command *command, int count, char **arguments) {
    tool_arguments parsed = {0};
    for (int i = 0; i < count && !tool_same(arguments[i], "--"); i++)
        if (tool_same(arguments[i], "--help") || tool_same(arguments[i], "-h"))
            return help(command);
    if (parse(command, count, arguments, &parsed)) return TOOL_ERROR;
    return command->run(&parsed);
}

FILE *tool_output_open(const tool_arguments *arguments) {
    FILE *output;
    if (!arguments->output) return stdout;
    output = fopen(arguments->output, "w");
    if (!output) tool_error("cannot write %s: %s", arguments->output, why());
    return output;
}

int tool_output_close(const tool_arguments *arguments, FILE *output, int status) {
    const char *name = arguments->output ? arguments->output : "the output";
    bool failed = ferror(output) != 0;
    struct stat file;
    /* Removes regular files only: a device or a pipe must stay. */
    bool may_go = output != stdout && fstat(fileno(output), &file) == 0 && S_ISREG(file.st_mode);
    /* The flush reports a full disk. */
    failed = (output == stdout ? fflush(output) : fclose(output)) != 0 || failed;
    if (!failed) return status;
    tool_error("cannot write all of %s: %s", name, why());
    if (may_go) remove(arguments->output);
    return TOOL_ERROR;
}
