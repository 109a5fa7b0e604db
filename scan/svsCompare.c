/* Compares hand-written touch functions with the slices of their bodies (svs/detail/compare.h). A
 * build with svs_add_tasks(... COMPARE) compiles this source into the program.
 *
 * A lock keeps the tables, which belong to the process. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/detail/compare.h>

enum { INDICES = 16, PLACES = 4096, LINES = 64, TASKS = 64, SEEN = 1 << 15 };

/* The indices that all instances so far have named together with a place. */
typedef struct place {
    const void *what;
    unsigned mode, count;
    svs_access indices[INDICES];
} place;

/* Sums over the footprints of a task: by hand, and by the slice. */
typedef struct sums {
    const char *task;
    unsigned long footprints, accesses[2], follow[2];
} sums;

static place places[PLACES];
static sums tasks[TASKS];
static svs__compare_line told[LINES];
static unsigned char locked;

void svs__compare_begin(svs__compare *both) {
    svs_footprint_init(&both->sliced, both->room[0], SVS__COMPARE_ACCESSES);
    svs_footprint_init(&both->written, both->room[1], SVS__COMPARE_ACCESSES);
    memset(both->lines, 0, sizeof both->lines);
}

void svs__compare_at_line(svs_footprint *f, const char *file, unsigned line) {
    svs__compare *both = (svs__compare *)(void *)f;
    for (uint32_t i = f->count; i-- && !both->lines[i].file;)
        both->lines[i] = (svs__compare_line){file, line};
}

/* ---- whether a footprint names what the slice names ---- */

static int names(const svs_access *written, const svs_access *sliced) {
    if (written->mode < sliced->mode) return 0;
    if (written->kind == SVS_KIND_EVERYTHING) return 1;
    if (written->kind != sliced->kind || written->what != sliced->what) return 0;
    if (written->extent == SVS_EXTENT_REACH) return 1;
    if (sliced->extent == SVS_EXTENT_OWN) return written->extent != SVS_EXTENT_PATH;
    return written->extent == sliced->extent && written->index == sliced->index &&
           written->limit == sliced->limit;
}

/* Whether an access says nothing of another object than its own. */
static int is_exact(const svs_access *access) {
    return access->kind == SVS_KIND_ADDRESS || access->extent == SVS_EXTENT_OWN;
}

static place *place_of(const svs_access *sliced) {
    unsigned at = (unsigned)((uintptr_t)sliced->what >> 2) % PLACES;
    for (unsigned k = 0; k < PLACES; k++) {
        place *p = &places[at++ % PLACES];
        if (!p->what || (p->what == sliced->what && p->mode == sliced->mode)) return p;
    }
    return NULL;
}

static int has(const svs_footprint *f, const svs_access *index, unsigned mode) {
    for (uint32_t i = 0; i < f->count; i++) {
        const svs_access *a = &f->accesses[i];
        if (a->kind == SVS_KIND_INDEX && a->what == index->what && a->index == index->index &&
            a->mode >= mode)
            return 1;
    }
    return 0;
}

static void begin_place(place *p, const svs_footprint *written, const svs_access *sliced) {
    p->what = sliced->what;
    p->mode = sliced->mode;
    for (uint32_t i = 0; i < written->count && p->count < INDICES; i++)
        if (written->accesses[i].kind == SVS_KIND_INDEX && written->accesses[i].mode >= p->mode)
            p->indices[p->count++] = written->accesses[i];
}

/* Whether an index may still stand for a place. */
static int has_index(const svs_footprint *written, const svs_access *sliced) {
    place *p = place_of(sliced);
    unsigned kept = 0;
    if (!p) return 1;
    if (!p->what) begin_place(p, written, sliced);
    for (unsigned i = 0; i < p->count; i++)
        if (has(written, &p->indices[i], sliced->mode)) p->indices[kept++] = p->indices[i];
    p->count = kept;
    return kept != 0;
}

static int is_named(const svs_footprint *written, const svs_access *sliced) {
    int index = 0;
    for (uint32_t i = 0; i < written->count; i++) {
        const svs_access *a = &written->accesses[i];
        if (names(a, sliced)) return 1;
        if (a->kind == SVS_KIND_INDEX) index = 1;
        else if (!is_exact(a) && sliced->kind == SVS_KIND_OBJECT && a->mode >= sliced->mode)
            return 1; /* it may reach the object */
    }
    return index && has_index(written, sliced);
}

static void tell(const char *task, const svs_access *access, const svs__compare_line *at) {
    unsigned i = 0;
    for (; i < LINES && told[i].file; i++)
        if (told[i].line == at->line && !strcmp(told[i].file, at->file)) return;
    if (i < LINES) told[i] = *at;
    fprintf(stderr,
            "%s:%u: %s: the body may %s %p here, and its touch function does not name it: name "
            "it, or let SVS_TASK_SCANNED make the touch function\n",
            at->file, at->line, task, access->mode == SVS_MODE_WRITE ? "write" : "read",
            access->what);
}

/* ---- sums, with SVS_COMPARE_COUNTS in the environment ---- */

static void print_sums(void) {
    for (const sums *s = tasks; s < tasks + TASKS && s->task; s++) {
        const double n = (double)s->footprints;
        fprintf(stderr, "%s: accesses by hand %.2f, by the slice %.2f; wide %.2f, %.2f\n", s->task,
                (double)s->accesses[0] / n, (double)s->accesses[1] / n, (double)s->follow[0] / n,
                (double)s->follow[1] / n);
    }
}

static uint64_t mixed(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
}

/* Whether a footprint of the task has named the same: how often one is made depends on the
 * schedule. Beyond SEEN footprints, each counts as new. */
static int is_seen(const svs__compare *both, const sums *s) {
    static uint64_t seen[SEEN];
    uint64_t hash = (uint64_t)(s - tasks + 1);
    for (int which = 0; which < 2; which++) {
        const svs_footprint *f = which ? &both->sliced : &both->written;
        hash = mixed(hash, f->count);
        for (uint32_t i = 0; i < f->count; i++) {
            const svs_access *a = &f->accesses[i];
            hash = mixed(mixed(hash, (uintptr_t)a->what), a->index);
            hash = mixed(hash, (uint64_t)a->kind << 16 | (uint64_t)a->extent << 8 | a->mode);
        }
    }
    for (unsigned k = 0; k < 64; k++) {
        uint64_t *slot = &seen[(hash + k) % SEEN];
        if (*slot == hash) return 1;
        if (!*slot) return *slot = hash, 0;
    }
    return 0;
}

static int is_repeated(const svs_footprint *f, uint32_t which) {
    const svs_access *a = f->accesses, *one = &a[which];
    for (uint32_t i = 0; i < which; i++)
        if (a[i].what == one->what && a[i].index == one->index && a[i].extent == one->extent)
            return 1;
    return 0;
}

static void sum(sums *of, int which, const svs_footprint *f) {
    for (uint32_t i = 0; i < f->count; i++) {
        const svs_access *a = &f->accesses[i];
        const int all = a->kind == SVS_KIND_EVERYTHING;
        if (is_repeated(f, i) || (!a->what && !all)) continue; /* a place once */
        of->accesses[which]++;
        of->follow[which] += all || a->extent != SVS_EXTENT_OWN;
    }
}

static void count(const svs__compare *both, const char *task) {
    static int asked;
    sums *s = tasks;
    if (!asked) asked = getenv("SVS_COMPARE_COUNTS") && !atexit(print_sums) ? 1 : -1;
    if (asked < 0) return;
    while (s < tasks + TASKS && s->task && strcmp(s->task, task) != 0) s++;
    if (s == tasks + TASKS) return;
    s->task = task;
    if (is_seen(both, s)) return;
    s->footprints++;
    sum(s, 0, &both->written);
    sum(s, 1, &both->sliced);
}

/* ---- the end of an instance's touch function ---- */

static void give(const svs_footprint *written, svs_footprint *f) {
    for (uint32_t i = 0; i < written->count; i++)
        svs_footprint_add_access(f, &written->accesses[i]);
    /* More than there is room for: the instance runs alone. */
    if (written->status == SVS_E_LIMIT) svs_writes_everything(f);
    else if (written->status) f->status = written->status;
}

void svs__compare_end(const svs__compare *both, svs_footprint *f, const char *task) {
    give(&both->written, f);
    /* acquire and release: of the holder before and after; it orders the tables. */
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE)) continue;
    for (uint32_t i = 0; i < both->sliced.count; i++) {
        const svs_access *a = &both->sliced.accesses[i];
        if (a->kind != SVS_KIND_EVERYTHING && a->what && !is_named(&both->written, a))
            tell(task, a, &both->lines[i]);
    }
    count(both, task);
    __atomic_clear(&locked, __ATOMIC_RELEASE);
}
