#include "dpst/report/start.h"
#include "dpst/report/options.h"
#include "dpst/report/report.h"
#include "dpst/report/self.h"
#include "hooks/task_hooks.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Exit status for wrong options or suppressions, distinct from the statuses of a test. */
#define STATUS_MISUSE 2

static svs__check_settings settings;
/* the process that this check belongs to; a child of vfork() runs in the same memory under another
 * id and reports nothing */
static pid_t process;
/* this process is a child of fork(): it reports only what it has run itself */
static bool forked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t runtimes_lock = PTHREAD_MUTEX_INITIALIZER;
static bool reported;
static int outcome;
static _Atomic(uint32_t) checked; /* number of runtimes that were checked */
static _Atomic(uint32_t) seen[2]; /* whether SVS__ATOMICS, and SVS__LOCKS, were used */

_Noreturn static void refuse(const char *what, const char *error) {
    (void)fprintf(stderr, "svs check: %s: %s\n", what, error);
    _Exit(STATUS_MISUSE);
}

void svs__check_saw(int means) { /* relaxed is enough, both: it is read when the process ends. */
    if (svs__load_relaxed(&seen[means]) == 0) svs__store_relaxed(&seen[means], 1);
}

/* ---- begin ---- */

/* `runtimes` are the checked runtimes in operation, up to RUNTIMES_MAX; `ended` sums the counters
 * of all that have stopped. */
#define RUNTIMES_MAX 64u
static svs_runtime *runtimes[RUNTIMES_MAX];
static svs_check_summary ended;

static void note(svs_runtime *was, svs_runtime *is) {
    (void)svs__real_pthread_mutex_lock(&runtimes_lock);
    for (uint32_t i = 0; i < RUNTIMES_MAX; i++) {
        if (runtimes[i] != was) continue;
        runtimes[i] = is;
        break;
    }
    (void)pthread_mutex_unlock(&runtimes_lock);
}

static void check_runtime(svs_runtime *runtime) {
    svs_status status;
    svs__check_quiet++;
    status = svs_check_start(runtime, &settings.core);
    svs__check_quiet--;
    if (status == SVS_OK) {
        note(NULL, runtime);
        (void)svs__fetch_add_relaxed(&checked, 1); /* relaxed: a statistic. */
    } else {
        (void)fprintf(stderr, "svs check: a runtime is not checked: %s\n", svs_status_text(status));
    }
}

static void stop_check(svs_runtime *runtime) {
    svs__check_quiet++;
    /* the wrapper of this call adds its counters (wraps_end.c) */
    if (svs_check_stop(runtime, NULL))
        (void)fprintf(stderr, "svs check: a runtime is still checked: something runs on it\n");
    svs__check_quiet--;
}

static void add(svs_check_summary *sum, const svs_check_summary *s) {
    sum->accesses += s->accesses;
    sum->steps += s->steps;
    sum->nodes += s->nodes;
    sum->phases += s->phases;
    sum->queries += s->queries;
    for (int i = 0; i < 3; i++) sum->edges[i] += s->edges[i];
    sum->races += s->races;
    sum->undeclared += s->undeclared;
    if (sum->orders == 0 && s->orders != 0) {
        sum->order_type = s->order_type;
        sum->order_tasks[0] = s->order_tasks[0];
        sum->order_tasks[1] = s->order_tasks[1];
    }
    sum->orders += s->orders;
    sum->bytes = s->bytes > sum->bytes ? s->bytes : sum->bytes;
    sum->collapses += s->collapses;
    sum->lost += s->lost;
    sum->merged += s->merged;
}

void svs__check_stopped(svs_runtime *runtime, const svs_check_summary *summary) {
    note(runtime, NULL);
    (void)svs__real_pthread_mutex_lock(&runtimes_lock);
    add(&ended, summary);
    (void)pthread_mutex_unlock(&runtimes_lock);
}

static svs_check_summary sum_up(void) {
    svs_check_summary sum, one;
    (void)svs__real_pthread_mutex_lock(&runtimes_lock);
    sum = ended;
    for (uint32_t i = 0; i < RUNTIMES_MAX; i++) {
        if (runtimes[i] == NULL) continue;
        if (svs_check_summary_get(runtimes[i], &one) == SVS_OK) add(&sum, &one);
    }
    (void)pthread_mutex_unlock(&runtimes_lock);
    return sum;
}

/* Resets the child of a fork(). Races found so far belong to the parent, and threads that held
 * locks do not exist in the child. If a body has forked, this thread is still inside the parent's
 * check. Its writes here are not noted, because a thread of the parent may hold the shadow's
 * lock. */
static void begin_anew(void) {
    svs__check_quiet++;
    lock = runtimes_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    process = getpid();
    forked = true;
    reported = false;
    outcome = 0;
    memset(runtimes, 0, sizeof runtimes);
    memset(&ended, 0, sizeof ended);
    svs__store_relaxed(&checked, 0); /* relaxed, here and below: there is no other thread */
    for (int i = 0; i < 2; i++) svs__store_relaxed(&seen[i], 0);
    svs__found_begin_anew();
    svs__check_exit_reset();
    svs__check_quiet--;
}

static void at_exit(int status, void *unused) {
    int races;
    (void)unused;
    races = svs__check_report();
    if (races == 0 || races == status) return;
    /* necessary here, because handlers that were registered before this one do not run */
    (void)fflush(NULL);
    _Exit(races);
}

static void announce(const svs__finding *finding) {
    svs__place_name places[2];
    for (int i = 0; i < 2; i++)
        if (finding->sides[i].pc == NULL ||
            svs__symbols_of_code((uintptr_t)finding->sides[i].pc, &places[i], 1) == 0)
            places[i] = (svs__place_name){.file = "?"};
    (void)fprintf(stderr, "svs check: %s: %s:%d and %s:%d\n", svs__verdict_name(finding->verdict),
                  places[0].file != NULL ? places[0].file : "?", places[0].line,
                  places[1].file != NULL ? places[1].file : "?", places[1].line);
}

void svs__check_begin(void) {
    static bool begun; /* constructors run in sequence */
    char error[512];
    if (begun) return;
    begun = true;
    svs__check_quiet++;
    process = getpid();
    if (!svs__check_settings_read(&settings, secure_getenv("SVS_CHECK_OPTIONS"), error,
                                  sizeof error))
        refuse("SVS_CHECK_OPTIONS", error);
    if (settings.suppressions[0] != '\0' &&
        !svs__suppress_read(settings.suppressions, error, sizeof error))
        refuse("suppressions", error);
    svs__symbols_init(settings.symbols);
    settings.core.found = svs__found_add;
    if (settings.immediate) svs__found_tell = announce;
    if (settings.immediate) svs__check_put_nothing_off();
    if (settings.start) svs__runtime_started = check_runtime;
    svs__runtime_ended = stop_check;
    svs__blocks_init();
    (void)on_exit(at_exit, NULL);
    (void)pthread_atfork(NULL, NULL, begin_anew);
    svs__check_quiet--;
}

/* Starts the check of a program without an instrumented file, which is checked by the accesses that
 * it reports itself and by its calls of the C library. */
__attribute__((constructor)) static void begin_anyway(void) { svs__check_begin(); }

/* ---- end ---- */

/* Expands each "%p" in the pattern to the process' number. A child must not overwrite its parent's
 * file: for a child and a pattern without "%p", the number is appended. */
static void expand_name(char *name, size_t room, const char *pattern) {
    bool apart = false;
    size_t used = 0;
    for (; *pattern != '\0' && used + 24 < room; pattern++) {
        if (pattern[0] == '%' && pattern[1] == 'p') {
            used += (size_t)snprintf(name + used, room - used, "%ld", (long)process);
            apart = true;
            pattern++;
        } else {
            name[used++] = *pattern;
        }
    }
    name[used] = '\0';
    if (forked && !apart) (void)snprintf(name + used, room - used, ".%ld", (long)process);
}

static void write_json(const svs__report_list *reports, const svs_check_summary *summary) {
    char name[SVS__CHECK_PATH + 64];
    bool written = false;
    FILE *file;
    expand_name(name, sizeof name, settings.json);
    file = fopen(name, "w");
    if (file != NULL) {
        written = svs__reports_print_json(reports, summary, file);
        written = fclose(file) == 0 && written;
    }
    if (!written) (void)fprintf(stderr, "svs check: %s cannot be written\n", name);
}

/* Prints what limits the check's answer. */
static void print_limits(const svs_check_summary *s, const svs__report_list *reports) {
    /* relaxed is enough, here and below: the program ends. */
    bool atomic = svs__load_relaxed(&seen[SVS__ATOMICS]) != 0;
    bool locked = svs__load_relaxed(&seen[SVS__LOCKS]) != 0;
    if (atomic || locked)
        (void)fprintf(stderr,
                      "svs check: tasks used %s%s%s: this holds for schedules in which what they "
                      "decide comes out as it did here\n",
                      atomic ? "atomics" : "", atomic && locked ? " and " : "",
                      locked ? "locks" : "");
    if (s->orders != 0)
        (void)fprintf(stderr,
                      "svs check: the schedule chooses an order %" PRIu64
                      " times, of %s and %s for "
                      "%s, say (order_is_error)\n",
                      s->orders, s->order_tasks[0] != NULL ? s->order_tasks[0] : "?",
                      s->order_tasks[1] != NULL ? s->order_tasks[1] : "?",
                      s->order_type != NULL ? s->order_type : "an object");
    if (s->lost != 0 || s->merged != 0)
        (void)fprintf(stderr,
                      "svs check: not whole: %" PRIu64 " accesses without memory (memory_mb), "
                      "%" PRIu64 " asyncs in recursion too deep to be told apart\n",
                      s->lost, s->merged);
    if (reports->dropped != 0)
        (void)fprintf(stderr, "svs check: %" PRIu64 " racy locations were too many to be kept\n",
                      reports->dropped);
}

static uint32_t count_of(const svs__report_list *reports, int verdict) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < reports->count; i++)
        count += reports->items[i].example->verdict == verdict;
    return count;
}

static void print_end(const svs_check_summary *s, const svs__report_list *reports) {
    print_limits(s, reports);
    (void)fprintf(stderr,
                  "svs check: %" PRIu64 " accesses, %" PRIu64 " steps, %" PRIu64
                  " LCA queries over %" PRIu64 " edges, %" PRIu32 " races",
                  s->accesses, s->steps, s->queries, s->edges[settings.core.lca],
                  count_of(reports, SVS_CHECK_VERDICT_RACE));
    if (count_of(reports, SVS_CHECK_VERDICT_UNDECLARED) != 0)
        (void)fprintf(stderr, ", %" PRIu32 " undeclared accesses",
                      count_of(reports, SVS_CHECK_VERDICT_UNDECLARED));
    if (count_of(reports, SVS_CHECK_VERDICT_ORDER) != 0)
        (void)fprintf(stderr, ", %" PRIu32 " orders", count_of(reports, SVS_CHECK_VERDICT_ORDER));
    if (reports->suppressed != 0)
        (void)fprintf(stderr, " (and %" PRIu32 " suppressed)", reports->suppressed);
    (void)fputc('\n', stderr);
}

static int report(void) {
    svs_check_summary summary = sum_up();
    svs__report_list reports;
    svs__reports_make(&reports, settings.frames);
    /* relaxed: as above. */
    if (svs__load_relaxed(&checked) == 0 && reports.count == 0) return 0;
    if (settings.report) svs__reports_print(&reports, settings.reports, stderr);
    if (settings.json[0] != '\0') write_json(&reports, &summary);
    print_end(&summary, &reports);
    return reports.count != 0 ? (int)settings.exit : 0;
}

int svs__check_report(void) {
    if (process != getpid()) return 0;
    svs__check_settle(); /* the process may end in the midst of a step */
    svs__signals_report_begins();
    svs__check_quiet++;
    (void)svs__real_pthread_mutex_lock(&lock);
    if (!reported) {
        reported = true;
        (void)fflush(stdout);
        outcome = report();
    }
    (void)pthread_mutex_unlock(&lock);
    svs__check_quiet--;
    svs__signals_report_ends();
    return outcome;
}
