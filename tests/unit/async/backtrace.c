/* A child deep in nested finishes: a debugger stops in it and must see its spawners. */
#include <stdio.h>
#include <stdlib.h>
#include <svs/async.h>

static volatile int depth;

/* The debugger's breakpoint. */
__attribute__((noinline)) static void stop_here(int at) { depth = at; }

static void the_child(svs_async_context *async, void *argument) {
    stop_here(*(int *)argument);
    depth++;
}

static void the_spawner(svs_async_context *async, void *argument) {
    svs_async(async, the_child, argument, sizeof(int));
    depth++;
}

SVS_ASYNC_FUNCTION(int, the_typed, (int, left)) {
    int below = 0;
    if (left == 0) {
        svs_finish(SVS_ASYNC_CONTEXT(), the_spawner, &left);
        depth++;
        return 1;
    }
    SVS_ASYNC_TO(below, the_typed, left - 1);
    SVS_SYNC(the_typed);
    return below + depth;
}

static void the_root(svs_async_context *async, void *argument) {
    *(int *)argument = SVS_CALL_ON(async, the_typed, 2);
    depth++;
}

/* backtrace POLICY */
int main(int count, char **words) {
    svs_runtime_options options;
    svs_runtime *runtime;
    int value = 0;
    svs_runtime_options_init(&options);
    options.threads = 1;
    options.policy = count > 1 && atoi(words[1]) ? SVS_POLICY_WORK_FIRST : SVS_POLICY_HELP_FIRST;
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) return 1;
    if (svs_async_run(runtime, the_root, &value)) return 1;
    printf("%d\n", value);
    return svs_runtime_free(runtime) != SVS_OK;
}
