/* svs_ranks_main(): the transport by its name.
 *
 *   transport.E1  A rank of `local` or `sim` that exits the process before all programs have
 *                 returned ends it with a message and a status that is not 0. (not asserted: it
 *                 does not return) */
#include "base/lock.h"
#include "base/log.h"
#include "base/platform.h"
#include "transport/local.h"
#include "transport/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct svs__launch {
    const svs_transport *mpi; /* NULL: there is none */
    const char *chosen;       /* T, the name and its option */
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

/* ---- the transports by name ---- */

static int run_local(const svs_transport_entry *entry, const char *option,
                     svs_rank_program *program, void *argument);
static int run_sim(const svs_transport_entry *entry, const char *option, svs_rank_program *program,
                   void *argument);
static int run_mpi(const svs_transport_entry *entry, const char *option, svs_rank_program *program,
                   void *argument);

static const svs_transport_entry own[] = {{.name = "local", .option = "N", .run = run_local},
                                          {.name = "sim", .option = "N:SEED", .run = run_sim},
                                          {.name = "mpi", .run = run_mpi}};
enum { OWN = sizeof own / sizeof *own };

static svs__lock lock = SVS__LOCK_INIT; /* of the following list */
static svs_transport_entry *added;      /* the program's, the last one first */

/* Finds the entry in that place; the library's come first. @return NULL: there are not so many. */
static const svs_transport_entry *entry_at(size_t place) {
    const svs_transport_entry *entry = added;
    if (place < OWN) return &own[place];
    for (place -= OWN; entry != NULL && place != 0; place--) entry = entry->next;
    return entry;
}

/* Finds the entry whose name is the first `length` bytes of `name`. @return NULL: there is none. */
static const svs_transport_entry *find(const char *name, size_t length) {
    const svs_transport_entry *entry;
    for (size_t i = 0; (entry = entry_at(i)) != NULL; i++)
        if (strlen(entry->name) == length && memcmp(entry->name, name, length) == 0) break;
    return entry;
}

static bool is_name(const char *name) {
    return name != NULL && name[0] != '\0' && strchr(name, ':') == NULL;
}

svs_status svs_transport_add(svs_transport_entry *entry) {
    bool is_new;
    if (entry == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_transport_add: entry is NULL: pass one");
    if (!is_name(entry->name))
        return svs__refuse(
            NULL, SVS_E_INVALID,
            "svs_transport_add: its name is missing, or has a colon: give it a word");
    if (entry->run == NULL)
        return svs__refuse(NULL, SVS_E_INVALID,
                           "svs_transport_add: transport %s has no run: set it", entry->name);
    svs__lock_acquire(&lock);
    is_new = find(entry->name, strlen(entry->name)) == NULL;
    if (is_new) {
        entry->next = added;
        added = entry;
    }
    svs__lock_release(&lock);
    if (is_new) return SVS_OK;
    return svs__refuse(NULL, SVS_E_INVALID,
                       "svs_transport_add: there is a transport %s already: choose another name",
                       entry->name);
}

/* Writes `why`, and the names of all transports. @return 2. */
static int complain(const svs__launch *launch, const char *why) {
    const svs_transport_entry *entry;
    const char *before = "choose";
    fprintf(stderr, "svs: --transport %s: %s; ", launch->chosen, why);
    svs__lock_acquire(&lock);
    for (size_t i = 0; (entry = entry_at(i)) != NULL; i++) {
        if (i != 0) before = entry_at(i + 1) == NULL ? " or" : ",";
        fprintf(stderr, "%s %s%s%s", before, entry->name, entry->option == NULL ? "" : ":",
                entry->option == NULL ? "" : entry->option);
    }
    svs__lock_release(&lock);
    fputc('\n', stderr);
    return 2;
}

/* ---- the library's ---- */

/* Reads a number, and moves `*text` past it. */
static bool read_number(const char **text, uint64_t most, uint64_t *number) {
    char *end;
    if (*text == NULL || **text < '0' || **text > '9') return false;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return *number <= most;
}

static int run_local(const svs_transport_entry *entry, const char *option,
                     svs_rank_program *program, void *argument) {
    uint64_t count = svs__cpu_count();
    (void)entry;
    if (option != NULL && !read_number(&option, SVS_THREADS_MAX, &count))
        return complain(argument, "no number of ranks up to 1024");
    if ((option != NULL && *option != '\0') || count == 0)
        return complain(argument, "the number of ranks is 0, or other text follows it");
    watch_exits();
    return finish(svs__local_run((uint32_t)count, program, argument));
}

static int run_sim(const svs_transport_entry *entry, const char *option, svs_rank_program *program,
                   void *argument) {
    svs__sim_options options = {.seed = 1, .steps_max = UINT64_MAX / 2};
    uint64_t count = 0;
    (void)entry;
    if (!read_number(&option, SVS_THREADS_MAX, &count) || count == 0)
        return complain(argument, "no number of ranks up to 1024");
    if (*option != '\0' && (*option++ != ':' || !read_number(&option, UINT64_MAX, &options.seed)))
        return complain(argument, "the seed is not a number");
    if (*option != '\0') return complain(argument, "other text follows the seed");
    options.count = (uint32_t)count;
    watch_exits();
    return finish(svs__sim_run(&options, program, argument));
}

static int run_mpi(const svs_transport_entry *entry, const char *option, svs_rank_program *program,
                   void *argument) {
    const svs__launch *launch = argument;
    (void)entry, (void)option;
    if (launch->mpi == NULL) return complain(launch, "this program is not linked with MPI");
    return program(launch->mpi, argument);
}

/* ---- the start ---- */

static int outcome(int result) {
    if (result >= 0) return result;
    fprintf(stderr, "svs: the ranks were not run to their end: %s\n", svs_status_text(result));
    return 1;
}

int svs_ranks_main(const svs_transport *mpi,
                   int (*program)(const svs_transport *transport, int argc, char **argv), int argc,
                   char **argv) {
    svs__launch launch = {mpi, NULL, program, argc, argv};
    const svs_transport_entry *entry;
    const char *chosen = take_option(&launch.argc, argv);
    size_t length;
    if (chosen == NULL)
        chosen = getenv("SVS_TRANSPORT"); /* NOLINT(concurrency-mt-unsafe): at start */
    if (chosen == NULL) chosen = mpi != NULL ? "mpi" : "local";
    launch.chosen = chosen;
    length = strcspn(chosen, ":");
    svs__lock_acquire(&lock);
    entry = find(chosen, length);
    svs__lock_release(&lock);
    if (entry == NULL) return complain(&launch, "there is no transport of this name");
    if (chosen[length] == '\0') return outcome(entry->run(entry, NULL, run_program, &launch));
    if (entry->option == NULL) return complain(&launch, "no option may follow this name");
    return outcome(entry->run(entry, chosen + length + 1, run_program, &launch));
}
