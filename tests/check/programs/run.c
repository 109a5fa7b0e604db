#include "cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct call {
    svs_async_function *function;
    void *argument;
} call;

static void run_call(svs_async_context *async, void *argument) {
    const call *c = argument;
    c->function(async, c->argument);
}

void spawn_two(svs_async_context *async, svs_async_function *one, svs_async_function *other,
               void *argument) {
    call c = {one, argument};
    svs_async(async, run_call, &c, sizeof c);
    c.function = other;
    svs_async(async, run_call, &c, sizeof c);
}

static int fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    return 1;
}

int run_case(const check_case *cases, size_t count, int argc, char **argv) {
    svs_runtime_options options;
    svs_runtime *runtime;
    if (argc != 4) return fail("usage: CASE THREADS POLICY");
    svs_runtime_options_init(&options);
    options.threads = (uint32_t)strtoul(argv[2], NULL, 10);
    options.policy =
        strcmp(argv[3], "work-first") == 0 ? SVS_POLICY_WORK_FIRST : SVS_POLICY_HELP_FIRST;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(cases[i].name, argv[1]) != 0) continue;
        if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime))
            return fail("no runtime");
        if (svs_async_run(runtime, cases[i].run, NULL)) return fail("no run");
        return svs_runtime_free(runtime) ? fail("not free") : 0;
    }
    return fail("no such case");
}
