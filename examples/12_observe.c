/* Shows:  <svs/observe.h>: callbacks for each instance, as a profiler uses them. Here they count
 *         the instances of each worker, and how many run at the same time.
 * Run:    build/release/bin/12_observe
 * Expect: the number of instances, and that at most as many ran at once as there are workers. */
#include "session.h"
#include <stdatomic.h>

enum { CELLS = 100 };
static long cells[CELLS];

typedef struct step {
    int cell;
} step;
static void step_touch(svs_footprint *f, const step *s) { svs_writes(f, &cells[s->cell]); }
static svs_status step_run(svs_context *x, step *s) {
    (void)x;
    cells[s->cell]++;
    return SVS_OK;
}
SVS_TASK(step, step_run, step_touch)

/* Workers call these, several at once: hence the atomics. A profiler starts and ends a zone. */
typedef struct profile {
    atomic_int begun, running, most;
} profile;
static void begins(const svs_observed *instance, void *argument) {
    profile *p = argument;
    int running = atomic_fetch_add(&p->running, 1) + 1, most = atomic_load(&p->most);
    (void)instance; /* its names, its worker, its iteration */
    atomic_fetch_add(&p->begun, 1);
    while (running > most && !atomic_compare_exchange_weak(&p->most, &most, running)) continue;
}
static void ends(const svs_observed *instance, void *argument) {
    profile *p = argument;
    (void)instance;
    atomic_fetch_sub(&p->running, 1);
}

int main(void) {
    profile p = {0};
    step steps[10 * CELLS];
    svs_runtime_options options;
    svs_observer observer;
    session s = {NULL, NULL, NULL};
    svs_status status;
    svs_runtime_options_init(&options);
    options.threads = 2;
    status = svs_runtime_new(&options, &s.runtime);
    if (status) return session_close(&s, status);
    svs_observer_init(&observer);
    observer.instance_begins = begins;
    observer.instance_ends = ends;
    observer.argument = &p;
    status = svs_observer_set(s.runtime, &observer);
    if (!status) status = svs_runtime_start(s.runtime);
    if (!status) status = svs_world_new(s.runtime, NULL, &s.world);
    for (int i = 0; i < 10 * CELLS; i++) steps[i].cell = i % CELLS;
    if (!status) status = svs_for_each(s.world, &step_task, steps, sizeof steps / sizeof *steps);
    if (!status)
        printf("%d instances, at most %s at once\n", p.begun, p.most <= 2 ? "2" : "too many");
    return session_close(&s, status);
}
