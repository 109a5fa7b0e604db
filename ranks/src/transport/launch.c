/* svs_ranks_main(): the transport by its name.
 *
 *   transport.E1  A rank of `local` or `sim` that exits the process before all programs have
 *                 returned ends it with a message and a status that is not 0. (not asserted: it
 *                 does not return) */
#include "base/platform.h"
#include "transport/local.h"
#include "transport/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct svs__launch {
    int (*program)(const svs_transport *transport, int argc, char **argv);
    int argc;
    char **argv;
} svs__launch;

/* Runs the program of one rank with a copy of `argv`, because a parser of options may permute
 * it. */
static int run_program(const svs_transport *transport, void *argument) {
    const svs__launch *launch = argument;
    size_t bytes = ((size_t)launch->argc + 1) * sizeof(char *);
    char **argv = malloc(bytes);
    int result;
    if (argv == NULL) return 1;
    memcpy(argv, launch->argv, bytes);
    result = launch->program(transport, launch->argc, argv);
    free(argv);
    return result;
}

/* ---- a rank that exits the process while other ranks still run ---- */

/* number of svs__local_run() and svs__sim_run() in this process that have not returned */
static _Atomic(uint32_t) running;

#if defined(__GLIBC__)
/* The process ends with a status that is not 0 (transport.E1). */
static void notice_exit(int status, void *unused) {
    (void)status, (void)unused;
    if (svs__load_acquire(&running) == 0) return; /* pairs with the release in finish() */
    fprintf(stderr, "svs: error: a rank exits before the end of a run: let svs_ranks_run() and the "
                    "program of each rank return first\n");
    (void)fflush(NULL);
    _exit(70);
}
#endif

static void watch_exits(void) {
#if defined(__GLIBC__)
    static _Atomic(uint32_t) watched;
    /* relaxed is enough for both accesses: one of the callers registers the function, and starts
     * its ranks afterwards. */
    if (svs__exchange_relaxed(&watched, 1) == 0 && on_exit(notice_exit, NULL) != 0)
        svs__store_relaxed(&watched, 0);
#endif
    (void)svs__fetch_add_relaxed(&running, 1);
}

static int finish(int result) {
    /* release: pairs with the acquire in notice_exit(). An exit that sees 0 comes after all ranks
     * of this run. */
    (void)svs__fetch_sub_release(&running, 1);
    return result;
}

static int complain(const char *name, const char *why) {
    fprintf(stderr, "svs: --transport %s: %s; choose local:N, sim:N:SEED or mpi\n", name, why);
    return 2;
}

/* Removes `--transport T` or `--transport=T`. @return T, or NULL. */
static const char *take_option(int *argc, char **argv) {
    static const char option[] = "--transport";
    const size_t length = sizeof option - 1;
    for (int i = 1; i < *argc; i++) {
        const char *name = NULL;
        int words = 1;
        if (strncmp(argv[i], option, length) != 0) continue;
        if (argv[i][length] == '=') name = argv[i] + length + 1;
        else if (argv[i][length] != '\0') continue;
        else words = 2;
        if (words == 2) name = i + 1 < *argc ? argv[i + 1] : "";
        if (i + words > *argc) words = 1;
        memmove(&argv[i], &argv[i + words], (size_t)(*argc - i - words + 1) * sizeof *argv);
        *argc -= words;
        return name;
    }
    return NULL;
}

/* Reads a colon and a number, and moves `*text` past it. */
static bool read_number(const char **text, uint64_t most, uint64_t *number) {
    char *end;
    if ((*text)[0] != ':' || (*text)[1] < '0' || (*text)[1] > '9') return false;
    *number = strtoull(*text + 1, &end, 10);
    *text = end;
    return *number <= most;
}

static int outcome(int result) {
    if (result >= 0) return result;
    fprintf(stderr, "svs: the ranks were not run to their end: %s\n", svs_status_text(result));
    return 1;
}

static int run_local(const char *name, const char *rest, svs__launch *launch) {
    uint64_t count = svs__cpu_count();
    if (*rest != '\0' && !read_number(&rest, SVS_THREADS_MAX, &count))
        return complain(name, "no number of ranks up to 1024");
    if (*rest != '\0' || count == 0)
        return complain(name, "the number of ranks is 0, or other text follows it");
    watch_exits();
    return finish(outcome(svs__local_run((uint32_t)count, run_program, launch)));
}

static int run_sim(const char *name, const char *rest, svs__launch *launch) {
    svs__sim_options options = {.seed = 1, .steps_max = UINT64_MAX / 2};
    uint64_t count = 0;
    if (!read_number(&rest, SVS_THREADS_MAX, &count) || count == 0)
        return complain(name, "no number of ranks up to 1024");
    if (*rest != '\0' && !read_number(&rest, UINT64_MAX, &options.seed))
        return complain(name, "the seed is not a number");
    if (*rest != '\0') return complain(name, "other text follows the seed");
    options.count = (uint32_t)count;
    watch_exits();
    return finish(outcome(svs__sim_run(&options, run_program, launch)));
}

int svs_ranks_main(const svs_transport *mpi,
                   int (*program)(const svs_transport *transport, int argc, char **argv), int argc,
                   char **argv) {
    svs__launch launch = {program, argc, argv};
    const char *name = take_option(&launch.argc, argv);
    if (name == NULL) name = getenv("SVS_TRANSPORT"); /* NOLINT(concurrency-mt-unsafe): at start */
    if (name == NULL) name = mpi != NULL ? "mpi" : "local";
    if (strncmp(name, "local", 5) == 0) return run_local(name, name + 5, &launch);
    if (strncmp(name, "sim", 3) == 0) return run_sim(name, name + 3, &launch);
    if (strcmp(name, "mpi") != 0) return complain(name, "there is no transport of this name");
    if (mpi == NULL) return complain(name, "this program is not linked with MPI");
    return outcome(run_program(mpi, &launch));
}
