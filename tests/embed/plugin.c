/* A module that links the library and is loaded at run time (load.c). */
#include <stddef.h>
#include <svs/svs.h>

static void fill(svs_async_context *async, void *argument) {
    int *slot = *(int **)argument;
    (void)async;
    *slot = 1;
}

static void root(svs_async_context *async, void *argument) {
    int *slots = argument;
    for (int i = 0; i < 100; i++) {
        int *slot = &slots[i];
        svs_async(async, fill, &slot, sizeof slot);
    }
}

typedef struct tick {
    int *slot;
} tick;
static void tick_touch(svs_footprint *f, const tick *t) { svs_writes(f, t->slot); }
static svs_status tick_run(svs_context *x, tick *t) {
    (void)x;
    ++*t->slot;
    return SVS_OK;
}
SVS_TASK(tick, tick_run, tick_touch)

static int work_in_graph(void) {
    svs_world *world;
    int slots[10] = {0}, sum = 0;
    tick items[100];
    for (int i = 0; i < 100; i++) items[i].slot = &slots[i % 10];
    if (svs_start(2, &world)) return -1;
    if (svs_for_each(world, &tick_task, items, 100) || svs_stop(world)) return -1;
    for (int i = 0; i < 10; i++) sum += slots[i];
    return sum;
}

static int work(uint32_t policy) {
    svs_runtime_options options;
    svs_runtime *runtime;
    int slots[100] = {0}, sum = 0;
    svs_runtime_options_init(&options);
    options.policy = policy;
    options.threads = 2;
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) return -1;
    if (svs_async_run(runtime, root, slots) || svs_runtime_free(runtime)) return -1;
    for (int i = 0; i < 100; i++) sum += slots[i];
    return sum;
}

/* @return 100 for each policy and 100 for a graph, or something else after an error. */
int plugin_work(void);
int plugin_work(void) {
    return work(SVS_POLICY_HELP_FIRST) + work(SVS_POLICY_WORK_FIRST) + work_in_graph();
}
