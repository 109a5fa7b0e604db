#include "ranks/program.h"
#include "base/atomic.h"
#include "base/random.h"
#include "scale.h"
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* ---- the programs of this test ---- */

static const rank_program *programs[32]; /* until the first NULL */

void program_register(const rank_program *program) {
    size_t count = 0;
    while (programs[count]) count++;
    if (count + 1 == sizeof programs / sizeof *programs) abort(); /* make it larger */
    programs[count] = program;
}

/* The next run takes the pages of the one before it from the C library, not from the kernel. */
__attribute__((constructor)) static void keep_pages(void) {
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 26);
}

const rank_program *const *program_all(void) { return programs; }

const char *program_wrong_line(int line, uint32_t rank) {
    static char text[40];
    if (line == 0) return NULL;
    (void)snprintf(text, sizeof text, "line %d, at rank %u", line, rank);
    return text;
}

/* ---- memory of one rank ---- */

typedef struct owner {
    program_run *run;
    uint32_t rank;
} owner;

static void *allocate(size_t size, size_t alignment, uint32_t worker, void *argument) {
    owner *mine = argument;
    void *memory;
    if (mine->rank == mine->run->fail_rank &&
        svs__fetch_add_relaxed(&mine->run->allocations, 1) + 1 == mine->run->fail_at)
        return NULL;
    memory = aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
    if (memory != NULL) (void)svs__fetch_add_relaxed(&mine->run->live, 1);
    return memory;
}

static void release(void *memory, size_t size, size_t alignment, uint32_t worker, void *argument) {
    owner *mine = argument;
    (void)svs__fetch_sub_relaxed(&mine->run->live, 1);
    free(memory);
}

/* ---- the program of a rank ---- */

static void quiet(int level, const char *text, void *argument) {}

/* In steps, which sleep for any time, for none, or briefly. */
static svs_status run_steps(svs_ranks *ranks, const rank_program *program, uint64_t seed) {
    static const uint64_t idle[] = {UINT64_MAX, 0, 1000};
    svs_status status = svs_ranks_begin(ranks, program->start, svs_ranks_data(ranks));
    if (status != SVS_OK) return status;
    while ((status = svs_ranks_step(ranks, idle[seed % 3])) == SVS_WAIT) continue;
    return status == SVS_OK ? svs_ranks_end(ranks) : status;
}

static svs_status run_rounds(svs_ranks *ranks, program_run *run, uint32_t rank) {
    const rank_program *program = run->program;
    svs_status status = SVS_OK;
    uint32_t rounds = program->rounds == 0 ? 1 : program->rounds;
    svs_ranks_set_data(ranks, program_data(run, rank));
    if (program->handler_count != 0)
        status = svs_handlers_add(ranks, program->handlers, program->handler_count);
    if (status == SVS_OK && program->prepare != NULL) status = program->prepare(ranks);
    for (uint32_t i = 0; i < rounds && status == SVS_OK; i++) {
        if (i != 0 && program->between != NULL) status = program->between(ranks);
        if (status != SVS_OK) break;
        status = program->stepped ? run_steps(ranks, program, run->seed)
                                  : svs_ranks_run(ranks, program->start, svs_ranks_data(ranks));
    }
    return status;
}

static int run_rank(const svs_transport *transport, void *argument) {
    program_run *run = argument;
    uint32_t rank = transport->rank;
    owner mine = {run, rank};
    svs_ranks_options options;
    svs_ranks *ranks = NULL;
    svs_status status;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.allocator = (svs_allocator){allocate, release, &mine};
    options.log = quiet;
    options.deadlock_file = NULL;
    if (run->program->options != NULL) run->program->options(&options, rank, run->seed);
    status = svs_ranks_new(&options, &ranks);
    if (status == SVS_OK) {
        status = run_rounds(ranks, run, rank);
        (void)snprintf(run->result[rank].text, sizeof run->result[rank].text, "%s",
                       svs_ranks_failure(ranks));
        if (svs_ranks_statistics_get(ranks, &run->result[rank].statistics)) return 1;
    }
    run->result[rank].status = status;
    return svs_ranks_free(ranks) == SVS_OK ? 0 : 1;
}

/* ---- judgement ---- */

/* A rank that was killed, or that had no memory before the run: its status is its own. */
static bool is_apart(const program_run *run, uint32_t rank) {
    return rank == run->killed || rank == run->also_killed ||
           (rank == run->fail_rank && run->result[rank].status == SVS_E_NO_MEMORY);
}

static uint32_t first_alive(const program_run *run) {
    uint32_t first = 0;
    while (first + 1 < run->program->ranks && is_apart(run, first)) first++;
    return first;
}

/* ranks.X1: up to what each rank's structures waited for. */
static bool is_same_failure(const char *one, const char *other) {
    static const char waits[] = " waits in structure ";
    const char *end_one = strstr(one, waits), *end_other = strstr(other, waits);
    size_t length = strlen(one), other_length = strlen(other);
    while (end_one != NULL && *end_one != ';') end_one--;
    while (end_other != NULL && *end_other != ';') end_other--;
    if (end_one != NULL) length = (size_t)(end_one - one);
    if (end_other != NULL) other_length = (size_t)(end_other - other);
    return length == other_length && memcmp(one, other, length) == 0;
}

static const char *compare_ranks(program_run *run) {
    uint32_t first = first_alive(run);
    static char text[1200];
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        if (i == first || is_apart(run, i)) continue;
        if (run->result[i].status == run->result[first].status &&
            (run->result[i].text[0] == '\0' || run->result[first].text[0] == '\0' ||
             is_same_failure(run->result[i].text, run->result[first].text)))
            continue;
        (void)snprintf(text, sizeof text, "rank %u has %s (%.480s), rank %u has %s (%.480s)", first,
                       svs_status_name(run->result[first].status), run->result[first].text, i,
                       svs_status_name(run->result[i].status), run->result[i].text);
        return text;
    }
    return NULL;
}

const char *program_judge(program_run *run, int result) {
    static char text[600];
    const rank_program *program = run->program;
    const char *differs = compare_ranks(run);
    uint32_t first = first_alive(run);
    if (run->flipped) return svs__load_relaxed(&run->live) == 0 ? NULL : "memory was not released";
    if (result != 0) return result == SVS_E_DEADLOCK ? "it is stuck" : "a rank cannot be freed";
    if (differs != NULL) return differs;
    if (svs__load_relaxed(&run->live) != 0) return "memory was not released";
    if (run->killed != PROGRAM_RANKS && program->look != NULL) program->look(run);
    if (run->killed != PROGRAM_RANKS || run->fail_at != 0) return NULL;
    if (run->result[first].status != program->status) {
        (void)snprintf(text, sizeof text, "all ranks return %s: %.480s",
                       svs_status_name(run->result[first].status), run->result[first].text);
        return text;
    }
    if (program->text != NULL && strstr(run->result[first].text, program->text) == NULL)
        return run->result[first].text;
    return program->check == NULL ? NULL : program->check(run);
}

static program_run *new_run(const rank_program *program, uint64_t seed) {
    program_run *run = calloc(1, sizeof *run + program->ranks * sizeof *run->result);
    run->program = program;
    run->seed = seed;
    run->killed = run->also_killed = PROGRAM_RANKS;
    run->fail_rank = PROGRAM_RANKS;
    run->data = calloc(program->ranks, program->bytes + 1);
    for (uint32_t i = 0; program->seeded && i < program->ranks; i++)
        memcpy(program_data(run, i), &seed, sizeof seed);
    return run;
}

static void free_run(program_run *run) {
    free(run->data);
    free(run);
}

static const char *run_sim(program_run *run, svs__sim_options *options) {
    options->count = run->program->ranks;
    if (options->choose == NULL) options->choose = run->program->choose;
    if (options->steps_max == 0) options->steps_max = 200000;
    return program_judge(run, svs__sim_run(options, run_rank, run));
}

const char *program_once(const rank_program *program, const svs__sim_options *options) {
    svs__sim_options chosen = *options;
    program_run *run = new_run(program, options->seed);
    const char *wrong = run_sim(run, &chosen);
    free_run(run);
    return wrong;
}

/* ---- repetition ---- */

static char again[200]; /* the arguments of the run */

static void on_abort(int number) {
    if (write(STDERR_FILENO, again, strlen(again)) < 0) _exit(2);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* Before each run: what repeats it, also if an assertion fails. */
static void note(const rank_program *program, const char *how, ...) {
    va_list values;
    int length = snprintf(again, sizeof again, "  again: --program %s ", program->name);
    va_start(values, how);
    length += vsnprintf(again + length, sizeof again - (size_t)length, how, values);
    va_end(values);
    (void)snprintf(again + length, sizeof again - (size_t)length, "\n");
    (void)signal(SIGABRT, on_abort);
}

static void expect(const rank_program *program, const char *wrong) {
    if (wrong == NULL) return;
    fprintf(stderr, "%s: %s\n%s", program->name, wrong, again);
    fail();
}

static void sim_once(const rank_program *program, uint64_t seed) {
    svs__sim_options options = {.seed = seed};
    note(program, "--sim %llu", (unsigned long long)seed);
    expect(program, program_once(program, &options));
}

void program_sim(const rank_program *program, uint64_t runs) {
    runs = scaled_on_one_thread(runs, 1);
    for (uint64_t seed = 1; seed <= runs; seed++) sim_once(program, seed);
}

void program_local(const rank_program *program, uint64_t runs) {
    uint64_t share = runs * scale_percent("SVS_TEST_SHARE") / 100;
    if (share >= 5) runs = share;
    else if (runs > 5) runs = 5;
    for (uint64_t i = 0; i < runs; i++) {
        program_run *run = new_run(program, i);
        const char *wrong;
        note(program, "--local");
        wrong = program_judge(run, svs__local_run(program->ranks, run_rank, run));
        free_run(run);
        expect(program, wrong);
    }
}

static uint64_t kill_once(const rank_program *program, uint32_t rank, uint64_t step,
                          uint64_t seed) {
    uint64_t steps[PROGRAM_RANKS];
    svs__sim_options options = {.seed = seed, .kill = rank, .kill_step = step, .steps = steps};
    program_run *run = new_run(program, seed);
    const char *wrong;
    run->killed = step == 0 ? PROGRAM_RANKS : rank;
    note(program, "--kill %u %llu %llu", rank, (unsigned long long)step, (unsigned long long)seed);
    wrong = run_sim(run, &options);
    free_run(run);
    expect(program, wrong);
    return steps[rank];
}

/* Under sanitizers and in short runs, only some of the steps. */
static uint64_t sparsity(void) {
    uint64_t load = scaled_on_one_thread(100, 0);
    return load == 0 ? 25 : load < 100 ? 10 : 1;
}

/* @return whether the rank has lived until this step under any of ten seeds. */
static bool kill_at(const rank_program *program, uint32_t rank, uint64_t step) {
    bool reached = false;
    for (uint64_t seed = 10 * step; seed < 10 * step + program_scaled(10); seed++)
        reached = kill_once(program, rank, step, seed) >= step || reached;
    return reached;
}

void program_kill(const rank_program *program, uint64_t stride) {
    for (uint32_t rank = 0; rank < program->ranks; rank++)
        for (uint64_t step = 1; kill_at(program, rank, step); step += stride * sparsity()) {}
}

/* Runs once with what the options say, and counts the steps of each rank. */
static void count_steps(const rank_program *program, svs__sim_options options, uint64_t *steps) {
    program_run *run = new_run(program, options.seed);
    const char *wrong;
    options.steps = steps;
    if (options.kill_step != 0) run->killed = options.kill;
    if (options.kill_also_step != 0) run->also_killed = options.kill_also;
    wrong = run_sim(run, &options);
    free_run(run);
    expect(program, wrong);
}

/* The second death is one of the last steps of a run with the first death alone: that is, while the
 * survivors tell each other of it. */
enum { LAST_STEPS = 60 };

static void kill_two_once(const rank_program *program, uint64_t seed) {
    uint64_t steps[PROGRAM_RANKS], last;
    svs__random random;
    svs__sim_options options = {.seed = seed};
    note(program, "--kill-two %llu", (unsigned long long)seed);
    svs__random_seed(&random, seed);
    count_steps(program, options, steps);
    options.kill = svs__random_below(&random, program->ranks);
    options.kill_step = 1 + svs__random_below(&random, (uint32_t)steps[options.kill]);
    count_steps(program, options, steps);
    options.kill_also =
        (options.kill + 1 + svs__random_below(&random, program->ranks - 1)) % program->ranks;
    last = steps[options.kill_also] < LAST_STEPS ? steps[options.kill_also] : LAST_STEPS;
    options.kill_also_step = steps[options.kill_also] - svs__random_below(&random, (uint32_t)last);
    count_steps(program, options, steps);
}

void program_kill_two(const rank_program *program, uint64_t runs) {
    for (uint64_t seed = 1; seed <= scaled_on_one_thread(runs, 1); seed++)
        kill_two_once(program, seed);
}

/* @return whether there was such an allocation. */
static bool exhaust_once(const rank_program *program, uint32_t rank, uint64_t allocation) {
    svs__sim_options options = {.seed = allocation};
    program_run *run = new_run(program, allocation);
    const char *wrong;
    bool reached;
    run->fail_rank = rank;
    run->fail_at = allocation;
    note(program, "--exhaust %u %llu", rank, (unsigned long long)allocation);
    wrong = run_sim(run, &options);
    reached = svs__load_relaxed(&run->allocations) >= allocation;
    free_run(run);
    expect(program, wrong);
    return reached;
}

void program_exhaust(const rank_program *program, uint32_t stride) {
    for (uint32_t rank = 0; rank < program->ranks; rank++)
        for (uint64_t at = 1; exhaust_once(program, rank, at); at += stride * sparsity()) {}
}

static void flip_once(const rank_program *program, uint64_t buffer, uint32_t bit) {
    svs__sim_options options = {
        .seed = buffer + bit, .flip = buffer, .flip_bit = bit, .quiet = true};
    program_run *run = new_run(program, options.seed);
    const char *wrong;
    note(program, "--flip %llu %u", (unsigned long long)buffer, bit);
    run->flipped = true;
    wrong = run_sim(run, &options);
    free_run(run);
    expect(program, wrong);
}

void program_flip(const rank_program *program, uint64_t runs) {
    for (uint64_t i = 0; i < scaled_on_one_thread(runs, 1); i++)
        flip_once(program, 1 + i / 64 % 64, (uint32_t)((i % 64) * 61 + i / 4096));
}

uint64_t program_scaled(uint64_t full) { return scaled(full, 1); }

/* ---- from the command ---- */

static int repeat(const rank_program *program, int argc, char **argv) {
    unsigned long long n[3] = {0};
    for (int i = 4; i < argc && i < 7; i++) n[i - 4] = strtoull(argv[i], NULL, 10);
    if (strcmp(argv[3], "--sim") == 0) sim_once(program, n[0]);
    else if (strcmp(argv[3], "--local") == 0) program_local(program, 100);
    else if (strcmp(argv[3], "--kill") == 0) (void)kill_once(program, (uint32_t)n[0], n[1], n[2]);
    else if (strcmp(argv[3], "--kill-two") == 0) kill_two_once(program, n[0]);
    else if (strcmp(argv[3], "--exhaust") == 0) (void)exhaust_once(program, (uint32_t)n[0], n[1]);
    else if (strcmp(argv[3], "--flip") == 0) flip_once(program, n[0], (uint32_t)n[1]);
    else return 2;
    printf("%s: all is well\n", program->name);
    return 0;
}

int program_repeat(int argc, char **argv) {
    for (const rank_program *const *p = programs; *p; p++)
        if (strcmp((*p)->name, argv[2]) == 0) return repeat(*p, argc, argv);
    fprintf(stderr, "there is no program %s\n", argv[2]);
    return 2;
}

int program_over(const char *transport, const char *word,
                 int (*program)(const svs_transport *transport, int argc, char **argv)) {
    char words[3][40] = {"program", "", ""};
    char *argv[] = {words[0], words[1], words[2], NULL};
    (void)snprintf(words[1], sizeof words[1], "--transport=%s", transport);
    (void)snprintf(words[2], sizeof words[2], "%s", word);
    return svs_ranks_main(NULL, program, 3, argv);
}
