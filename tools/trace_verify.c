/* svs trace verify: could the run that a trace describes have happened? */
#include "view.h"

static int run(const tool_arguments *arguments) {
    char message[SVS_TRACE_MESSAGE];
    svs_trace *trace;
    FILE *output;
    int status = TOOL_OK;
    if (tool_trace_read(&trace, arguments->files[0])) return TOOL_ERROR;
    output = tool_output_open(arguments);
    if (!output) {
        status = TOOL_ERROR;
    } else {
        switch (svs_trace_verify(trace, message, sizeof message)) {
        case SVS_OK: fputs("consistent\n", output); break;
        case SVS_E_NO_MEMORY: status = tool_error("not enough memory to verify the trace"); break;
        default: fprintf(output, "inconsistent: %s\n", message); status = TOOL_INCONSISTENT;
        }
        status = tool_output_close(arguments, output, status);
    }
    svs_trace_free(trace);
    return status;
}

const tool_command tool_trace_verify = {
    "verify",
    "whether the run that it describes is possible",
    "Prints `consistent` and exits with 0, or prints the first inconsistency and exits with 1: a\n"
    "stolen async that is in no phase of its victim, two thieves of one async, phases that\n"
    "overlap, a suspended phase that was never resumed, or lost events.\n",
    1,
    {{NULL, NULL}},
    run};
