/* One run of one program, for bench_racecheck: compiled by each compiler and for each checker.
 *
 *     racecheck_gcc_ours heat work-first 2 1024 1024 10
 *     subject=racecheck program=heat seconds=0.104210 accesses=... label_edges=... ...
 *
 * The time is that of the parallel run alone. Status 1 when the answer is wrong, 2 when the command
 * line is; a checker may choose another. */
#include "cilk/program.h"
#include "common.h"
#include "common/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>

extern const cilk_program racecheck_loop_heat, racecheck_loop_matmul, racecheck_allqueens,
    racecheck_cholesky, racecheck_fft, racecheck_fib, racecheck_heat, racecheck_lu,
    racecheck_matmul, racecheck_nbody, racecheck_strassen;

enum { PROGRAMS = 11 };
static const cilk_program *const programs[PROGRAMS] = {
    &racecheck_loop_matmul, &racecheck_loop_heat, &racecheck_allqueens, &racecheck_cholesky,
    &racecheck_fft,         &racecheck_fib,       &racecheck_heat,      &racecheck_lu,
    &racecheck_matmul,      &racecheck_nbody,     &racecheck_strassen};

static _Noreturn void refuse(const char *what) {
    fprintf(stderr, "%s\nusage: PROGRAM help-first|work-first THREADS SIZE...\n", what);
    exit(2);
}

static const cilk_program *find_program(const char *name) {
    for (int i = 0; i < PROGRAMS; i++)
        if (strcmp(programs[i]->name, name) == 0) return programs[i];
    refuse(name);
}

static uint64_t number(const char *text, uint64_t least, uint64_t most) {
    char error[NUMBER_ERROR];
    uint64_t value;
    if (!number_unsigned(text, least, most, &value, error)) refuse(error);
    return value;
}

/* Reads the remaining numbers; those that are not given are the small ones. */
static cilk_size size_of(const cilk_program *program, char **texts) {
    cilk_size size = {{0}, 0};
    const char *wrong;
    for (size_t i = 0; i < CILK_PARAMETERS && program->parameters[i].name; i++) {
        const cilk_parameter *p = &program->parameters[i];
        size.values[i] = *texts ? number(*texts++, p->least, p->most) : p->small;
    }
    if (*texts) refuse("too many sizes");
    wrong = program->refuse ? program->refuse(&size) : NULL;
    if (wrong) refuse(wrong);
    return size;
}

static uint32_t policy_of(const char *name) {
    if (strcmp(name, "help-first") == 0) return SVS_POLICY_HELP_FIRST;
    if (strcmp(name, "work-first") == 0) return SVS_POLICY_WORK_FIRST;
    refuse(name);
}

static void print_line(const char *name, double seconds, const svs_check_summary *s) {
    printf(
        "subject=racecheck program=%s seconds=%.6f accesses=%" PRIu64 " steps=%" PRIu64
        " queries=%" PRIu64 " phases=%" PRIu64 " label_edges=%" PRIu64 " stealtree_edges=%" PRIu64
        " walk_edges=%" PRIu64 " lost=%" PRIu64 " merged=%" PRIu64 "\n",
        name, seconds, s->accesses, s->steps, s->queries, s->phases, s->edges[SVS_CHECK_LCA_LABELS],
        s->edges[SVS_CHECK_LCA_STEAL_TREE], s->edges[SVS_CHECK_LCA_WALK], s->lost, s->merged);
}

int main(int argc, char **argv) {
    svs_check_summary summary;
    const cilk_program *program;
    svs_runtime *runtime;
    cilk_size size;
    uint64_t begin;
    void *problem;
    double seconds;
    if (argc < 4) refuse("what is to be run?");
    program = find_program(argv[1]);
    size = size_of(program, argv + 4);
    runtime = bench_runtime_new(policy_of(argv[2]), (uint32_t)number(argv[3], 1, SVS_THREADS_MAX));
    problem = program->make(&size);
    if (program->reset) program->reset(problem);
    begin = bench_wall_ns();
    BENCH_OK(svs_async_run(runtime, program->run, problem));
    seconds = 1e-9 * (double)(bench_wall_ns() - begin);
    svs_ignore(svs_check_summary_get(runtime, &summary));
    BENCH_OK(svs_runtime_free(runtime));
    if (!(program->error(problem) <= CILK_TOLERANCE)) bench_fail("the answer is wrong");
    program->release(problem);
    print_line(program->name, seconds, &summary);
    return EXIT_SUCCESS;
}
