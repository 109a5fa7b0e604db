#include "dpst/report/found.h"
#include "dpst/report/named.h"
#include "dpst/report/self.h"
#include "dpst/report/symbols.h"
#include <string.h>

#define FINDINGS_MAX 4096u
#define LINES_MAX (UINT32_C(1) << 20)
#define SEEN 8192u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static svs__finding findings[FINDINGS_MAX];
static uint32_t finding_count;
static uint64_t dropped;

/* A hash table of lines: open addressing, at most three quarters full; bytes 0: free. */
static svs__racy_line *lines;
static size_t line_count, line_capacity;

/* Recent races, so that a race in a loop costs little. */
static svs_check_race seen[SEEN];

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* Was a race at this address, between the same two places, found a moment ago? Steps are not
 * compared, because other tasks run the same lines. */
static bool is_repeated(const svs_check_race *race) {
    uint64_t hash =
        mix(mix(mix((uintptr_t)race->address, (uintptr_t)race->before.pc), (uintptr_t)race->now.pc),
            (uint64_t)race->verdict);
    svs_check_race *last = &seen[hash % SEEN];
    if (last->address == race->address && last->bytes == race->bytes &&
        last->verdict == race->verdict && last->before.pc == race->before.pc &&
        last->now.pc == race->now.pc && last->before.write == race->before.write &&
        last->now.write == race->now.write)
        return true;
    *last = *race;
    return false;
}

/* ---- the object ---- */

static svs__raced_object find_object(uintptr_t address) {
    static svs__heap_block last; /* kept, because most races are in one or a few blocks */
    svs__raced_object object = {.kind = SVS__ELSEWHERE};
    if (address - last.address >= last.bytes || !svs__block_is(&last)) {
        if (svs__symbols_of_data(address, &object.name, &object.begin, &object.bytes)) {
            object.kind = SVS__IN_VARIABLE;
            return object;
        }
        if (!svs__block_around(address, &object.block)) return object;
        last = object.block;
    }
    object.kind = SVS__IN_BLOCK;
    object.block = last;
    object.begin = last.address;
    object.bytes = last.bytes;
    return object;
}

/* The object of the race. In graphs the checker's own answer is more precise. */
static svs__raced_object object_of(const svs_check_race *race) {
    svs__raced_object object = find_object((uintptr_t)race->address);
    if (race->object == NULL) return object;
    if (object.kind != SVS__IN_BLOCK) object.block.bytes = 0;
    object.kind = SVS__IN_OBJECT;
    object.begin = (uintptr_t)race->object;
    object.bytes = race->object_bytes;
    object.name = race->type;
    object.field = race->field;
    return object;
}

static bool is_same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same_object(const svs__raced_object *a, const svs__raced_object *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == SVS__IN_OBJECT)
        return is_same_text(a->name, b->name) && is_same_text(a->field, b->field);
    if (a->kind == SVS__IN_BLOCK)
        return a->block.pc == b->block.pc && a->block.frame == b->block.frame;
    return a->begin == b->begin;
}

/* ---- findings ---- */

static bool is_same_side(const svs__side *a, const svs__side *b) {
    return a->pc == b->pc && a->write == b->write;
}

static svs__finding *find(const svs__finding *like) {
    for (uint32_t i = finding_count; i-- > 0;) {
        svs__finding *f = &findings[i];
        if (f->verdict == like->verdict && is_same_side(&f->sides[0], &like->sides[0]) &&
            is_same_side(&f->sides[1], &like->sides[1]) &&
            is_same_object(&f->object, &like->object))
            return f;
    }
    return NULL;
}

static svs__side side_of(const svs_check_access *access) {
    return (svs__side){.pc = access->pc,
                       .frame = access->frame,
                       .step = access->step,
                       .write = access->write != 0,
                       .task = access->task,
                       .instance = access->instance,
                       .run = access->run,
                       .declared = access->declared >= (access->write ? 2 : 1)};
}

/* Compares two sides, in an order independent of the schedule. */
static bool is_before(const svs__side *a, const svs__side *b) {
    if (a->pc != b->pc) return (uintptr_t)a->pc < (uintptr_t)b->pc;
    if (a->write != b->write) return a->write;
    return a->frame < b->frame;
}

static svs__finding describe(const svs_check_race *race) {
    svs__finding f = {.verdict = race->verdict,
                      .address = (uintptr_t)race->address,
                      .bytes = race->bytes,
                      .times = 1};
    svs__side before = side_of(&race->before), now = side_of(&race->now);
    bool alone = race->verdict == SVS_CHECK_VERDICT_UNDECLARED,
         swap = alone || is_before(&now, &before);
    f.sides[0] = swap ? now : before;
    f.sides[1] = swap ? before : now;
    f.side_count = alone ? 1 : 2;
    f.object = object_of(race);
    return f;
}

#define PATH_MOST 64u

/* Records the path of the step, which exists only while the race is reported. */
static void take_path(svs__side *side) {
    svs__path_item items[PATH_MOST];
    size_t count = svs__check_path(side->step, items, PATH_MOST);
    side->path = svs__real_calloc(count ? count : 1, sizeof *items);
    side->path_count = side->path == NULL ? 0 : count;
    if (side->path != NULL) memcpy(side->path, items, count * sizeof *items);
}

/* Copies a text of a race, which is valid during the callback only. */
static const char *keep_text(const char *text) {
    size_t bytes = text == NULL ? 0 : strlen(text) + 1;
    char *kept = bytes == 0 ? NULL : svs__real_calloc(bytes, 1);
    if (kept != NULL) memcpy(kept, text, bytes);
    return kept;
}

static void take_details(svs__finding *f, const svs_check_race *race) {
    for (int i = 0; i < 2; i++) {
        take_path(&f->sides[i]);
        f->sides[i].task = keep_text(f->sides[i].task);
    }
    f->declared = svs__text_named(race->declared);
    f->cure = svs__text_named(race->cure);
    if (f->object.kind != SVS__IN_OBJECT) return;
    f->object.name = keep_text(f->object.name);
    f->object.field = keep_text(f->object.field);
}

static uintptr_t offset_of(const svs__finding *f) { return f->address - f->object.begin; }

/* The finding that the race belongs to, or NULL when the table is full. `*offset` is the race's
 * offset in the raced object. */
static svs__finding *keep(const svs_check_race *race, uintptr_t *offset) {
    svs__finding fresh = describe(race), *f = find(&fresh);
    *offset = offset_of(&fresh);
    if (f == NULL) {
        if (finding_count == FINDINGS_MAX) return NULL;
        f = &findings[finding_count++];
    } else {
        f->times++;
        if (offset_of(&fresh) >= offset_of(f)) return f;
        fresh.times = f->times;
        for (int i = 0; i < 2; i++) svs__real_free(f->sides[i].path);
    }
    *f = fresh;
    take_details(f, race);
    return f;
}

/* ---- racy bytes ---- */

static svs__racy_line *line_place(svs__racy_line *table, size_t capacity, uintptr_t line,
                                  uint32_t finding) {
    size_t at = mix(line, finding) & (capacity - 1);
    while (table[at].bytes != 0 && (table[at].line != line || table[at].finding != finding))
        at = (at + 1) & (capacity - 1);
    return &table[at];
}

static bool grow_lines(void) {
    size_t capacity = line_capacity ? line_capacity * 2 : 256;
    svs__racy_line *larger = svs__real_calloc(capacity, sizeof *larger);
    if (larger == NULL) return false;
    for (size_t i = 0; i < line_capacity; i++)
        if (lines[i].bytes != 0)
            *line_place(larger, capacity, lines[i].line, lines[i].finding) = lines[i];
    svs__real_free(lines);
    lines = larger;
    line_capacity = capacity;
    return true;
}

static void mark(uint32_t finding, uintptr_t line, uint64_t bytes) {
    svs__racy_line *place;
    if ((line_count + 1) * 4 > line_capacity * 3 && !grow_lines()) {
        dropped++;
        return;
    }
    place = line_place(lines, line_capacity, line, finding);
    if (place->bytes == 0) {
        if (line_count == LINES_MAX) {
            dropped++;
            return;
        }
        line_count++;
    }
    *place = (svs__racy_line){line, place->bytes | bytes, finding};
}

static void mark_all(uint32_t finding, uintptr_t offset, size_t bytes) {
    while (bytes != 0) {
        uintptr_t at = offset % 64;
        size_t here = bytes < 64 - at ? bytes : 64 - at;
        uint64_t mask = here == 64 ? UINT64_MAX : ((UINT64_C(1) << here) - 1) << at;
        mark(finding, offset / 64, mask);
        offset += here;
        bytes -= here;
    }
}

void (*svs__found_tell)(const svs__finding *finding);

void svs__found_add(const svs_check_race *race, void *unused) {
    (void)unused;
    svs__check_quiet++;
    (void)svs__real_pthread_mutex_lock(&lock);
    if (!is_repeated(race)) {
        uintptr_t offset;
        svs__finding *f = keep(race, &offset);
        if (f == NULL) dropped++;
        else mark_all((uint32_t)(f - findings), offset, race->bytes);
        if (svs__found_tell != NULL && f != NULL && f->times == 1) svs__found_tell(f);
    }
    (void)pthread_mutex_unlock(&lock);
    svs__check_quiet--;
}

void svs__found_begin(const svs__finding **all, uint32_t *count, const svs__racy_line **racy,
                      size_t *racy_capacity) {
    (void)svs__real_pthread_mutex_lock(&lock);
    *all = findings;
    *count = finding_count;
    *racy = lines;
    *racy_capacity = line_capacity;
}

void svs__found_end(void) { (void)pthread_mutex_unlock(&lock); }

void svs__found_begin_anew(void) {
    /* the lock's holder does not exist in this process */
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    finding_count = 0;
    dropped = 0;
    lines = NULL; /* another thread may have been about to free them */
    line_count = line_capacity = 0;
    memset(seen, 0, sizeof seen);
}

uint64_t svs__found_dropped(void) { return dropped; }
