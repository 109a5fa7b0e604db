/* svs: shows recordings of the library (`svs trace`, each subcommand in its own file), and makes
 * touch functions (`svs scan`, in its own folder). */
#include "command.h"
#if defined(SVS_SCAN)
#include "scan/scan.h"
#endif
#include <svs/version.h>

static const tool_command *const trace_commands[] = {
    &tool_trace_info,   &tool_trace_verify, &tool_trace_dot,
    &tool_trace_chrome, &tool_trace_html,   &tool_trace_predict,
};
#define TRACE_COMMANDS (sizeof trace_commands / sizeof trace_commands[0])

static const char usage[] =
    "usage: svs trace COMMAND FILE\n"
    "       svs scan [OPTIONS] FILE... [-- COMPILER FLAGS]\n"
    "       svs --help | --version\n"
    "\n"
    "svs trace shows how a program ran on SvS: the steals of its asyncs, and the instances,\n"
    "stages and conflicts of its graphs; `svs trace --help` lists the commands.\n"
    "svs scan makes touch functions from the bodies of tasks; `svs scan --help` describes it.\n";

static int trace_help(FILE *output) {
    fputs("usage: svs trace COMMAND [-o OUTPUT] FILE\n\n", output);
    for (size_t i = 0; i < TRACE_COMMANDS; i++)
        fprintf(output, "  %-8s %s\n", trace_commands[i]->name, trace_commands[i]->summary);
    fputs("\nFILE is a trace from svs_trace_write(). Output goes to stdout, or to OUTPUT.\n"
          "`svs trace COMMAND --help` describes a command.\n"
          "Exit status: 0; 1 when the trace is inconsistent; 2 for wrong arguments and files that\n"
          "cannot be read or written.\n",
          output);
    return TOOL_OK;
}

static int trace(int count, char **arguments) {
    if (count == 0) {
        trace_help(stderr);
        return TOOL_ERROR;
    }
    if (tool_same(arguments[0], "--help") || tool_same(arguments[0], "-h"))
        return trace_help(stdout);
    for (size_t i = 0; i < TRACE_COMMANDS; i++)
        if (tool_same(arguments[0], trace_commands[i]->name))
            return tool_command_run(trace_commands[i], count - 1, arguments + 1);
    return tool_error("svs trace has no command '%s'; `svs trace --help` lists them", arguments[0]);
}

int main(int argc, char **argv) {
    const char *command = argc > 1 ? argv[1] : "";
    if (tool_same(command, "trace")) return trace(argc - 2, argv + 2);
#if defined(SVS_SCAN)
    if (tool_same(command, "scan")) return scan_main(argc - 2, argv + 2);
#else
    if (tool_same(command, "scan"))
        return tool_error("svs scan is not in this build: configure with SVS_BUILD_SCAN");
#endif
    if (tool_same(command, "--version")) return printf("svs %s\n", svs_version()) < 0;
    if (tool_same(command, "--help") || tool_same(command, "-h")) return fputs(usage, stdout) < 0;
    if (argc < 2) {
        fputs(usage, stderr);
        return TOOL_ERROR;
    }
    return tool_error("there is no command '%s'; `svs --help` lists the commands", command);
}
