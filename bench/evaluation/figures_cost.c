/* What a port costs a programmer: lines, locks, declarations. */
#include "common.h"
#include "figures.h"
#include "source.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 6 };

#define LOCKING                                                                                    \
    "lock_table_acquire_pair|padded_lock_acquire|padded_lock_acquire_*|pthread_mutex_lock|"        \
    "GUARD_BODY|GUARD_LISTS|"
#define TRANSACTIONS "__transaction_atomic|TRANSACTION|TRANSACTION_*|"
#define COMPARE_AND_SWAPS "atomic_compare_exchange_*|__atomic_compare_exchange_n|"
#define FOOTPRINTS "svs_writes*|svs_reads*|"
#define DECLARATIONS                                                                               \
    "SVS_TYPE|SVS_TYPE_*|SVS_TASK|SVS_TASK_*|svs_graph_add_*|svs_graph_sends|svs_graph_order|"     \
    "svs_graph_independent|svs_set|svs_space_new|svs_object_init|svs_object_new|"

typedef struct port_files {
    const char *program, *engine;
    const char *files[FILES_MAX]; /* beside the simulation, which all engines share */
} port_files;

static const port_files ports[] = {
    {"fluidanimate", "mutex", {"engine_mutex.c", "looped.c"}},
    {"fluidanimate", "stm", {"../../bench/engines/fluidanimate_stm.c", "looped.c"}},
    {"fluidanimate", "svs", {"engine_svs.c"}},
    {"canneal", "mutex", {"engine_mutex.c"}},
    {"canneal", "atomic", {"engine_atomic.c"}},
    {"canneal", "stm", {"../../bench/engines/canneal_stm.c"}},
    {"canneal", "svs", {"engine_svs.c"}},
    {"quakesquad", "mutex", {"engine_mutex.c", "looped.c", "guard.h"}},
    {"quakesquad", "stm", {"../../bench/engines/quakesquad_stm.c", "looped.c"}},
    {"quakesquad",
     "svs",
     {"engine_svs.c", "engine_svs.h", "engine_svs_bombs.c", "engine_svs_people.c",
      "engine_svs_loop.c", "engine_svs_tiles.c"}}};

static bool add(const report *r, source *s, const char *program, const char *file) {
    char *path;
    bool there;
    if (asprintf(&path, "%s/examples/%s/%s", r->settings->source, program, file) < 0)
        bench_fail("no memory");
    there = source_add(s, path);
    free(path);
    return there;
}

/* All that is neither an engine nor what only some engines use. */
static source shared_of(const report *r, const char *program) {
    source s = {0};
    char *pattern;
    glob_t found;
    if (asprintf(&pattern, "%s/examples/%s/*.[ch]", r->settings->source, program) < 0)
        bench_fail("no memory");
    if (!glob(pattern, 0, NULL, &found)) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const char *name = strrchr(found.gl_pathv[i], '/') + 1;
            if (strncmp(name, "engine_", 7) && strncmp(name, "looped", 6) &&
                strcmp(name, "guard.h"))
                (void)source_add(&s, found.gl_pathv[i]);
        }
        globfree(&found);
    }
    free(pattern);
    return s;
}

/* @return whether its files are there. `locks`: of the locking port, which comes first. */
static bool print_port(report *r, FILE *to, const port_files *p, size_t *locks) {
    source serial = {0}, ported = {0}, shared = shared_of(r, p->program);
    bool there = add(r, &serial, p->program, "engine_serial.c");
    bool svs = !strcmp(p->engine, "svs");
    for (size_t i = 0; i < FILES_MAX && p->files[i]; i++)
        there = add(r, &ported, p->program, p->files[i]) && there;
    if (there) {
        source_changes c = source_compare(&serial, &ported);
        size_t guards = source_calls(&ported, LOCKING TRANSACTIONS COMPARE_AND_SWAPS);
        size_t footprints = source_calls(&ported, FOOTPRINTS);
        size_t declared = source_calls(&ported, DECLARATIONS);
        size_t elsewhere =
            svs ? source_calls(&shared, DECLARATIONS) : source_calls(&shared, LOCKING TRANSACTIONS);
        char gone[24] = "-";
        if (!strcmp(p->engine, "mutex")) *locks = guards + elsewhere;
        if (svs) snprintf(gone, sizeof gone, "%zu", *locks);
        html_table_row(to, "<%s|<%s|%zu|%zu|%zu|*%zu|%s|%zu|%zu|%zu", p->program, p->engine,
                       ported.count, c.added, c.removed, guards, gone, footprints, declared,
                       elsewhere);
        report_row(r,
                   "bench=evaluation figure=cost program=%s engine=%s lines=%zu added=%zu "
                   "removed=%zu locks_taken=%zu locks_removed=%s footprints=%zu declarations=%zu "
                   "in_simulation=%zu",
                   p->program, p->engine, ported.count, c.added, c.removed, guards, gone,
                   footprints, declared, elsewhere);
    }
    source_clean_up(&serial);
    source_clean_up(&ported);
    source_clean_up(&shared);
    return there;
}

void figure_cost(report *r) {
    FILE *to = report_section(r, RANK_COST, "cost", "What a port costs a programmer");
    unsigned missing = 0;
    size_t locks = 0;
    html_table_begin(
        to, "<program|<engine|lines of code|added to serial|removed|"
            "places that lock|locks removed|footprints|declarations|in the simulation itself");
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        if (!print_port(r, to, &ports[i], &locks)) missing++;
    html_table_end(to);
    if (missing)
        report_problem(r, to, "files of %u ports are not in the source tree %s (--source)", missing,
                       r->settings->source);
    html_note(to,
              "Counted in this source tree: the files of an engine without comments and blank "
              "lines, compared line by line with the serial engine's (longest common subsequence). "
              "Places that lock: calls that take a lock, begin a transaction or swap by "
              "compare-and-swap, which the SvS port does not have; locks removed: those that the "
              "mutex port "
              "and the simulation under it have instead. Footprints: calls that name "
              "what an instance touches. Declarations: types with links, tasks, edges between "
              "tasks, links that are set through the library. In the simulation itself, which all "
              "engines share: declarations for SvS, places that lock for the others. tbb and "
              "openmp run mutex's port with their own loops and locks.");
}
