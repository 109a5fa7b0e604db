/* Runs the bodies of generated programs as instances of graphs with two workers, and compares their
 * logs with their footprints.
 *
 * An access is covered when the footprint of its instance names its place, in its mode, and when
 * all instances that access the place name it by the same address. So two instances with accesses
 * that conflict have footprints that conflict, whichever inputs they have. Reads of what no
 * instance writes need no footprint. */
#include "logged.h"
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    LOG_MAX = 8192,
    ACCESSES_MAX = 2048,
    INSTANCES_MAX = 256,
    ROUND = 10, /* instances of each task that run at once */
    REGIONS_MAX = 12,
    WORDS_MAX = 1024, /* of a region */
    NAMES_MAX = 64
};

typedef struct entry {
    const char *at;
    unsigned size, write;
} entry;

struct logged_log {
    unsigned count;
    entry entries[LOG_MAX];
};

typedef struct instance {
    _Alignas(16) unsigned char item[256];
    int task, everything;
    unsigned seed;
    svs_footprint early; /* of the touch function, before any instance of the round has run */
    svs_footprint found; /* paths as the objects on them, when the body began */
    svs_access accesses[2][ACCESSES_MAX];
    logged_log log;
} instance;

static const logged_program *now;
static instance *all;
static svs_world *world;
static unsigned state;
static int failed;
static long runs, widened, elements, too_many, write_for_read, fixed_runs, fixed_too_many, odd;
/* Of elements too many, and of runs that name everything: of the first such access. */
static long because[LOGGED_REASONS], everything_because[LOGGED_REASONS];

unsigned logged_random(unsigned n) {
    state = state * 1103515245u + 12345u;
    return (state >> 16) % n;
}
void logged_seed(unsigned seed) { state = seed * 2654435761u + 7; }

static const logged_region *region_at(const char *at) {
    for (unsigned i = 0; i < now->region_count; i++) {
        const logged_region *r = &now->regions[i];
        if (at >= (char *)r->memory && at < (char *)r->memory + r->element * r->count) return r;
    }
    return NULL;
}

void *logged(logged_log *log, const volatile void *at, size_t size, int write) {
    const char *from = (const char *)at;
    if (log && region_at(from)) {
        unsigned i = __atomic_fetch_add(&log->count, 1, __ATOMIC_RELAXED);
        if (i >= LOG_MAX) printf("%s: too many accesses\n", now->name), exit(1);
        log->entries[i] = (entry){from, (unsigned)size, (unsigned)write};
    }
    return (void *)at;
}

void logged_because(svs_footprint *f, unsigned reason) {
    for (uint32_t i = f->count; i-- && !f->accesses[i].reserved;)
        f->accesses[i].reserved = (uint8_t)reason;
}

static void fail(const instance *one, const char *what) {
    if (failed++ < 5)
        printf("%s: %s: task %s, seed %u\n", now->name, what, now->tasks[one->task]->name,
               one->seed);
}

/* ---- touch functions, and paths as the library walks them ---- */

static void touch(instance *one, svs_footprint *to, svs_access *room) {
    svs_footprint_init(to, room, ACCESSES_MAX);
    now->tasks[one->task]->touch(to, one->item);
    if (to->status) printf("%s: more than %d accesses\n", now->name, ACCESSES_MAX), exit(1);
}

static void add(svs_footprint *to, const svs_access *of, const svs_object *object, int mode) {
    svs_access one = *of;
    if (!object) return;
    one.what = object, one.extent = SVS_EXTENT_OWN, one.mode = (uint8_t)mode;
    svs_footprint_add_access(to, &one);
    if (!to->status) to->accesses[to->count - 1].reserved = of->reserved;
}

static void add_along(svs_footprint *to, const svs_access *of) {
    const uint32_t before = to->count;
    add(to, of, of->what, of->mode);
    for (uint32_t next = before; next < to->count; next++)
        for (unsigned link = 0; link < 2; link++) {
            const svs_object *found = now->follow(to->accesses[next].what, link);
            int seen = !(of->limit >> link & 1);
            for (uint32_t i = before; i < to->count; i++) seen |= to->accesses[i].what == found;
            if (!seen) add(to, of, found, of->mode);
        }
}

static void walk(const svs_footprint *from, svs_footprint *to, svs_access *room) {
    svs_footprint_init(to, room, ACCESSES_MAX);
    for (uint32_t i = 0; i < from->count; i++) {
        const svs_access *a = &from->accesses[i];
        const svs_object *at = a->what;
        if (a->extent == SVS_EXTENT_ALONG) {
            add_along(to, a);
        } else if (a->extent == SVS_EXTENT_PATH) {
            for (uint32_t k = 0; at && k < a->limit; k++) {
                add(to, a, at, SVS_MODE_READ);
                at = now->follow(at, (unsigned)(a->index >> 4 * k & 15));
            }
            add(to, a, at, a->mode);
        } else if (a->what || a->kind == SVS_KIND_EVERYTHING) {
            svs_footprint_add_access(to, a);
            if (!to->status) to->accesses[to->count - 1].reserved = a->reserved;
        }
    }
    if (to->status) printf("%s: more than %d objects\n", now->name, ACCESSES_MAX), exit(1);
}

/* ---- the task type that runs all instances ---- */

/* What the touch function named before any instance of the round has run: nothing that it reads may
 * change meanwhile. */
static void touch_any(svs_footprint *f, const void *item) {
    const instance *one = &all[*(const unsigned *)item];
    for (uint32_t i = 0; i < one->early.count; i++) {
        svs_access access = one->early.accesses[i];
        access.reserved = 0;
        svs_footprint_add_access(f, &access);
    }
}

static svs_status run_any(svs_context *context, void *item) {
    instance *one = &all[*(unsigned *)item];
    static _Thread_local svs_access room[ACCESSES_MAX];
    svs_footprint late;
    touch(one, &late, room);
    if (late.count != one->early.count ||
        memcmp(room, one->early.accesses, late.count * sizeof *room) != 0)
        fail(one, "not covered: its touch function reads what tasks write");
    walk(&one->early, &one->found, one->accesses[1]);
    return now->tasks[one->task]->run(context, one->item);
}

static const svs_task_type any_task = {
    "any", sizeof(unsigned), _Alignof(unsigned), run_any, touch_any, NULL, 0, 0, NULL, NULL};

/* ---- the comparison ---- */

/* Of each region: names that are left for each word, those of one instance, and written words. */
typedef struct words {
    uint64_t left[WORDS_MAX], reads[WORDS_MAX], writes[WORDS_MAX], used[WORDS_MAX];
    uint64_t used_writes[WORDS_MAX], all_reads, all_writes;
    unsigned char written[WORDS_MAX];
} words;
static words of[REGIONS_MAX];

/* The names of a word of an element, as bits. */
static uint64_t names_of(const logged_region *r, size_t offset) {
    unsigned groups = 0;
    uint64_t names = 0;
    for (unsigned i = 0; i < r->name_count; i++)
        if (offset >= r->names[i].from && offset < r->names[i].to) groups |= r->names[i].groups;
    for (unsigned i = 0; i < r->name_count; i++)
        if (r->names[i].groups & groups) names |= UINT64_C(1) << i;
    return names;
}

typedef struct position {
    const logged_region *region;
    words *words;
    size_t element, offset, word;
} position;

static position position_of(const char *at) {
    position p = {region_at(at), NULL, 0, 0, 0};
    if (!p.region) return p;
    size_t away = (size_t)(at - (char *)p.region->memory);
    p.words = &of[p.region - now->regions];
    p.element = away / p.region->element;
    p.offset = away % p.region->element;
    p.word = away / 4;
    return p;
}

/* The names that an access of a footprint is. */
static uint64_t names_at(const position *p, const svs_access *a) {
    uint64_t names = 0;
    for (unsigned i = 0; p->region && i < p->region->name_count; i++)
        if (p->region->names[i].from == p->offset &&
            p->region->names[i].object == (a->kind == SVS_KIND_OBJECT) &&
            (!p->region->names[i].whole || !p->element))
            names |= UINT64_C(1) << i;
    return names;
}

static uint64_t whole_names(const logged_region *r) {
    uint64_t names = 0;
    for (unsigned i = 0; i < r->name_count; i++) names |= (uint64_t)r->names[i].whole << i;
    return names;
}

/* Enters, or with `forget` removes, what an instance names. */
static void enter(const instance *one, int forget) {
    for (uint32_t i = 0; i < one->found.count; i++) {
        const svs_access *a = &one->found.accesses[i];
        const position p = position_of(a->what);
        const uint64_t names = names_at(&p, a), whole = names ? names & whole_names(p.region) : 0;
        if (!names) continue;
        if (forget) {
            p.words->reads[p.element] = p.words->writes[p.element] = 0;
            p.words->all_reads = p.words->all_writes = 0;
            continue;
        }
        p.words->reads[p.element] |= names;
        p.words->all_reads |= whole;
        if (a->mode == SVS_MODE_WRITE)
            p.words->writes[p.element] |= names, p.words->all_writes |= whole;
    }
}

static void check_entry(const instance *one, const entry *e) {
    for (unsigned i = 0; i < e->size; i += 4) {
        const position p = position_of(e->at + i);
        if (!p.words->written[p.offset / 4]) continue;
        const uint64_t whole = whole_names(p.region);
        uint64_t named = e->write ? p.words->writes[p.element] : p.words->reads[p.element];
        named = (named & ~whole) | (e->write ? p.words->all_writes : p.words->all_reads);
        uint64_t before = p.words->left[p.word];
        p.words->left[p.word] &= named & names_of(p.region, p.offset);
        if (before && !p.words->left[p.word]) {
            fail(one, "not covered");
            if (failed < 5)
                printf("  %s of %s[%zu] at byte %zu, in %s\n", e->write ? "write" : "read",
                       p.region->name, p.element, p.offset,
                       named & names_of(p.region, p.offset) ? "the footprint by another name"
                                                            : "no place of the footprint");
        }
    }
}

static void check_covered(const instance *one) {
    if (one->everything) return;
    enter(one, 0);
    for (unsigned i = 0; i < one->log.count; i++) check_entry(one, &one->log.entries[i]);
    enter(one, 1);
}

/* Written words count for all elements: what one instance writes of one, others may of another. */
static void note_written(const instance *one) {
    for (unsigned i = 0; i < one->log.count; i++)
        for (unsigned k = 0; one->log.entries[i].write && k < one->log.entries[i].size; k += 4) {
            const position p = position_of(one->log.entries[i].at + k);
            p.words->written[p.offset / 4] = 1;
        }
}

/* ---- how sharp it is ---- */

static void note_everything(instance *one) {
    for (uint32_t i = 0; i < one->found.count && !one->everything; i++) {
        const svs_access *a = &one->found.accesses[i];
        if (a->kind != SVS_KIND_EVERYTHING) continue;
        one->everything = 1;
        widened++;
        everything_because[a->reserved % LOGGED_REASONS]++;
    }
}

static void use(const instance *one, int forget) {
    for (unsigned i = 0; i < one->log.count; i++)
        for (unsigned k = 0; k < one->log.entries[i].size; k += 4) {
            const position p = position_of(one->log.entries[i].at + k);
            const uint64_t whole = whole_names(p.region);
            const uint64_t names = forget ? 0 : names_of(p.region, p.offset);
            const int writes = one->log.entries[i].write != 0;
            p.words->used[p.element] = forget ? 0 : p.words->used[p.element] | (names & ~whole);
            p.words->used[0] = forget ? 0 : p.words->used[0] | (names & whole);
            if (!writes && !forget) continue;
            p.words->used_writes[p.element] =
                forget ? 0 : p.words->used_writes[p.element] | (names & ~whole);
            p.words->used_writes[0] = forget ? 0 : p.words->used_writes[0] | (names & whole);
        }
}

static void count_elements(const instance *one) {
    long before = too_many;
    use(one, 0);
    for (uint32_t i = 0; i < one->found.count; i++) {
        const svs_access *a = &one->found.accesses[i];
        const position p = position_of(a->what);
        const uint64_t names = names_at(&p, a);
        int again = 0;
        for (uint32_t k = 0; k < i; k++) again |= one->found.accesses[k].what == a->what;
        if (again) continue;
        elements++;
        odd += !names;
        if (!names || !(p.words->used[p.element] & names)) {
            too_many++;
            because[a->reserved % LOGGED_REASONS]++;
        } else if (a->mode == SVS_MODE_WRITE && !(p.words->used_writes[p.element] & names)) {
            write_for_read++;
        }
    }
    use(one, 1);
    if (now->fixed) fixed_runs++, fixed_too_many += too_many - before;
}

/* ---- a program ---- */

static void on_alarm(int number) {
    (void)number;
    static const char text[] = ": does not end, or faults, in a touch function or body\n";
    if (now && write(1, now->name, strlen(now->name)) < 0) _exit(3);
    if (write(1, text, sizeof text - 1) < 0) _exit(3);
    _exit(3);
}

/* Seconds that the runs of one program may take: loops without an end use up the processor's. */
static void limit(int of_processor, unsigned of_clock) {
    const struct itimerval timer = {.it_value.tv_sec = of_processor};
    setitimer(ITIMER_PROF, &timer, NULL);
    alarm(of_clock);
}

static void expect(svs_status status, const char *what) {
    if (!status) return;
    printf("%s: not covered: %s: %s\n", now->name, what, svs_status_text(status));
    failed++;
}

static void make(instance *one, int task, unsigned seed) {
    memset(one->item, 0, sizeof one->item);
    one->task = task, one->seed = seed, one->everything = 0, one->log.count = 0;
    now->item(task, seed, one->item);
    touch(one, &one->early, one->accesses[0]);
    memcpy(one->item, &(void *){&one->log}, sizeof(void *));
}

static void run_round(unsigned seed, unsigned from, unsigned *count) {
    unsigned items[INSTANCES_MAX], many = 0;
    expect(now->fill(world, seed), "filling");
    for (unsigned i = 0; i < ROUND; i++)
        for (int t = 0; now->tasks[t] && *count < INSTANCES_MAX; t++) {
            make(&all[*count], t, from + i + 1);
            items[many++] = (*count)++;
        }
    expect(svs_for_each(world, &any_task, items, many), "the run");
}

int logged_check(const logged_program *program, unsigned inputs) {
    unsigned count = 0;
    now = program, failed = 0;
    if (!all) {
        all = calloc(INSTANCES_MAX, sizeof *all);
        expect(svs_start(2, &world), "no world");
        signal(SIGALRM, on_alarm);
        signal(SIGPROF, on_alarm);
    }
    limit(5, 30);
    memset(of, 0, sizeof of);
    for (unsigned i = 0; i < REGIONS_MAX; i++) memset(of[i].left, -1, sizeof of[i].left);
    for (unsigned i = 0; i < inputs; i += ROUND) run_round(i / ROUND + 1, i, &count);
    expect(program->end(), "the end");
    limit(0, 0);
    for (unsigned i = 0; i < count; i++) {
        runs++;
        note_everything(&all[i]);
        note_written(&all[i]);
    }
    for (unsigned i = 0; i < count; i++) check_covered(&all[i]);
    for (unsigned i = 0; i < count; i++)
        if (!all[i].everything) count_elements(&all[i]);
    now = NULL;
    return failed != 0;
}

void logged_end(void) {
    printf("runs %ld everything %ld elements %ld too_many %ld write_for_read %ld fixed_runs %ld "
           "fixed_too_many %ld odd %ld because",
           runs, widened, elements, too_many, write_for_read, fixed_runs, fixed_too_many, odd);
    for (unsigned i = 0; i < LOGGED_REASONS; i++)
        printf(" %ld:%ld", because[i], everything_because[i]);
    printf("\n");
    if (svs_stop(world)) printf("not covered: the world does not end\n"), exit(1);
}
