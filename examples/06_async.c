/* Shows:  async and finish: functions spawn asyncs and wait for them; a replay of a traced run.
 * Run:    build/release/bin/06_async
 * Expect: the same sum twice (expected.txt). */
#include <stdio.h>
#include <stdlib.h>
#include <svs/svs.h>

enum { DEPTH = 16 };

/* A typed function. `left` is valid after SVS_SYNC, which waits for the asyncs of this call. */
SVS_ASYNC_FUNCTION(long, leaves, (int, depth)) {
    long left, right;
    if (depth == 0) return 1;
    SVS_ASYNC_TO(left, leaves, depth - 1);
    right = SVS_CALL(leaves, depth - 1);
    SVS_SYNC(leaves);
    return left + right;
}

/* A generic async: any function of this form, with a copy of its argument. */
static void square(svs_async_context *async, void *argument) {
    long *number = *(long **)argument;
    (void)async;
    *number *= *number;
}

static void square_all(svs_async_context *async, void *argument) {
    long *numbers = argument;
    for (int i = 0; i < 10; i++) {
        long *number = &numbers[i];
        svs_async(async, square, &number, sizeof number);
    }
}

static void run(svs_async_context *async, void *argument) {
    long *sum = argument;
    long numbers[10];
    for (int i = 0; i < 10; i++) numbers[i] = i;
    svs_finish(async, square_all, numbers); /* all ten have ended when it returns */
    *sum = SVS_CALL_ON(async, leaves, DEPTH);
    for (int i = 0; i < 10; i++) *sum += numbers[i];
}

static char message[SVS_TRACE_MESSAGE]; /* why a replay differs from its trace */

/* Ends the program with a message if a call failed. */
static void expect(svs_status status, const char *call) {
    if (status == SVS_OK) return;
    fprintf(stderr, "%s: %s %s\n", call, svs_status_text(status), message);
    exit(1);
}

int main(void) {
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_trace *trace;
    long first = 0, again = 0;
    svs_runtime_options_init(&options);
    options.threads = 4;
    options.policy =
        SVS_POLICY_WORK_FIRST; /* or SVS_POLICY_HELP_FIRST, without a change to the program */
    expect(svs_runtime_new(&options, &runtime), "svs_runtime_new");
    expect(svs_runtime_start(runtime), "svs_runtime_start");

    expect(svs_trace_start(runtime, NULL), "svs_trace_start");
    expect(svs_async_run(runtime, run, &first), "svs_async_run");
    expect(svs_trace_stop(runtime, &trace), "svs_trace_stop");

    expect(svs_replay_start(runtime, trace, NULL, message, sizeof message), "svs_replay_start");
    expect(svs_async_run(runtime, run, &again), "svs_async_run");
    /* Fails unless the replay had the steal tree of the trace. */
    expect(svs_replay_stop(runtime, NULL, message, sizeof message), "svs_replay_stop");

    printf("Async: %ld, and %ld with the same steals\n", first, again);
    svs_trace_free(trace);
    return svs_runtime_free(runtime) == SVS_OK ? 0 : 1;
}
