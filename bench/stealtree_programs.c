#include "spawn_clock.h"
#include "stealtree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const cilk_program stealtree_allqueens, stealtree_cholesky, stealtree_fft, stealtree_fib,
    stealtree_heat, stealtree_lu, stealtree_matmul, stealtree_nbody, stealtree_strassen;

const char *const stealtree_program_names[] = {"allqueens", "heat",     "fib", "fft",    "strassen",
                                               "nbody",     "cholesky", "lu",  "matmul", NULL};
const char *const stealtree_policies[] = {"help-first", "work-first", NULL};

/* In the order of the names, and of table 1, which the sizes of `paper` are from. */
static const struct {
    const cilk_program *program;
    uint64_t sizes[STEALTREE_PAPER][CILK_PARAMETERS]; /* quick, usual */
} programs[STEALTREE_PROGRAMS] = {
    {&stealtree_allqueens, {{12, 8}, {13, 8}}},
    {&stealtree_heat, {{1024, 1024, 10}, {2048, 2048, 15}}},
    {&stealtree_fib, {{33}, {36}}},
    {&stealtree_fft, {{1 << 18}, {1 << 21}}},
    {&stealtree_strassen, {{512}, {1024}}},
    {&stealtree_nbody, {{1024, 5}, {4096, 5}}},
    {&stealtree_cholesky, {{768, 7500}, {1536, 15000}}},
    {&stealtree_lu, {{512}, {1024}}},
    {&stealtree_matmul, {{512}, {1000}}},
};

stealtree_problem stealtree_problem_make(size_t program, int scale) {
    const cilk_program *p = programs[program].program;
    cilk_size size = {{0}, 0};
    for (size_t i = 0; i < CILK_PARAMETERS; i++)
        size.values[i] =
            scale == STEALTREE_PAPER ? p->parameters[i].paper : programs[program].sizes[scale][i];
    return (stealtree_problem){p, p->make(&size)};
}

void stealtree_problem_check(const stealtree_problem *problem) {
    double error = problem->program->error(problem->data);
    if (!(error <= CILK_TOLERANCE))
        bench_fail("%s: the answer is wrong (error %g)", problem->program->name, error);
}

void stealtree_problem_free(stealtree_problem *problem) {
    problem->program->release(problem->data);
    problem->data = NULL;
}

/* Of a trace in a file. */
static double file_bytes_of(const svs_trace *trace) {
    const char *folder = getenv("TMPDIR");
    char path[512], message[SVS_TRACE_MESSAGE];
    struct stat file;
    int descriptor;
    if (snprintf(path, sizeof path, "%s/svstrace-XXXXXX", folder ? folder : "/tmp") >=
        (int)sizeof path)
        bench_fail("TMPDIR: the name is too long");
    descriptor = mkstemp(path);
    if (descriptor < 0) bench_fail("cannot make a file like %s", path);
    close(descriptor);
    if (svs_trace_write(trace, path, message, sizeof message)) bench_fail("%s", message);
    if (stat(path, &file)) bench_fail("cannot find %s", path);
    unlink(path);
    return (double)file.st_size;
}

stealtree_run stealtree_run_once(const stealtree_problem *problem, svs_runtime *runtime,
                                 bool traced) {
    stealtree_run run;
    svs_trace *trace = NULL;
    memset(&run, 0, sizeof run);
    if (problem->program->reset) problem->program->reset(problem->data);
    if (traced) BENCH_OK(svs_trace_start(runtime, NULL));
    run.cpu_ns = -(double)spawn_cpu_rested_ns();
    run.wall_ns = -(double)bench_wall_ns();
    BENCH_OK(svs_async_run(runtime, problem->program->run, problem->data));
    run.wall_ns += (double)bench_wall_ns();
    run.cpu_ns += (double)spawn_cpu_rested_ns();
    if (!traced) return run;
    BENCH_OK(svs_trace_stop(runtime, &trace));
    BENCH_OK(svs_trace_statistics_get(trace, &run.trace));
    if (run.trace.lost) bench_fail("%s: a trace is not whole", problem->program->name);
    run.file_bytes = file_bytes_of(trace);
    svs_trace_free(trace);
    return run;
}
