/* Is there a race? The algorithm is SPD3 (Raman et al.): each cell has the last writer and two
 * readers since; the lowest common ancestor of these two is above all other readers that are
 * parallel to the last writer. A write clears both readers: a reader that is not parallel to it
 * precedes it, so any later step parallel to that reader is parallel to the write.
 *
 * Runs that overlap have a partial order that no tree represents. For the last writer any partial
 * order is enough: what precedes the writer also precedes each step that the writer precedes. Two
 * readers of one run or of two runs also represent all readers of these runs. A step of a third run
 * is parallel to a whole run or after it. A step of the same run is compared with both readers if
 * both are in its run, as in a tree; else with the reader of the other run, because the two runs
 * overlap. Readers of three runs are compared by the tree (checker.h, dpst.X12). */
#include "dpst/shadow/spd3.h"
#include "hooks/graph_hooks.h"
#include <string.h>

/* An access to some bytes of a block of eight. */
typedef struct access {
    svs__check_thread *self;
    uintptr_t address; /* address of the block */
    bool write;
    const void *pc;
    uint32_t frame;
    bool looks; /* the access is only compared: it is noted elsewhere (atomics.c, dpst.M1) */
} access;

/* The effect of an access on a cell. */
typedef struct outcome {
    svs__wide then;
    bool changes;
    bool wrote;      /* is the other access a write? */
    uint32_t racing; /* the step of the other access; 0: there is no race */
    const void *pc;  /* the place of the other access, if it is still known */
    uint32_t frame;  /* the calling context of that place */
} outcome;

static bool is_parallel(const access *a, uint32_t other) {
    uint32_t step = a->self->step;
    return other != 0 && other != step && svs__relation(a->self->worker, step, other).parallel;
}

/* Three overlapping runs have at least three levels, so an ancestor of two steps at this depth is
 * above the roots of their runs. */
#define THREE_LEVELS 2u

/* dpst.X12: is a reader of a crowded cell parallel to the access? */
SVS__COLD static bool is_parallel_in_tree(const access *a, uint32_t reader) {
    uint32_t step = a->self->step;
    return reader != step && svs__tree_relation(a->self->worker, step, reader).parallel;
}

static inline bool is_beside_reader(const access *a, const svs__wide *seen, uint32_t reader) {
    if (reader == 0) return false;
    return SVS__UNLIKELY(svs__cell_crowd(seen) != 0) ? is_parallel_in_tree(a, reader)
                                                     : is_parallel(a, reader);
}

static void decide_write(const access *a, const svs__wide *seen, uint8_t extent, outcome *o) {
    uint32_t writer = svs__cell_writer(seen), step = a->self->step;
    if (writer == step) return;
    o->changes = true;
    o->then.first = (uint64_t)step << 32;
    o->then.second = svs__cell_next(seen->second, 0, extent);
    if (is_parallel(a, writer)) {
        o->racing = writer;
        o->wrote = true;
        return;
    }
    if (is_beside_reader(a, seen, svs__cell_reader(seen))) o->racing = svs__cell_reader(seen);
    else if (is_beside_reader(a, seen, svs__cell_other_reader(seen)))
        o->racing = svs__cell_other_reader(seen);
}

/* dpst.X12: called when the step reads in parallel to both readers. @return the second word of the
 * cell, which may be crowded from now on. */
SVS__COLD static uint64_t crowd(const access *a, uint32_t one, uint32_t two, uint64_t second) {
    bool crowded = (second & SVS__CELL_CROWDED) != 0 ||
                   svs__are_of_three_runs(a->self->worker, a->self->step, one, two);
    return second | (crowded ? SVS__CELL_CROWDED : 0);
}

static void decide_read(const access *a, const svs__wide *seen, uint8_t extent, outcome *o) {
    uint32_t writer = svs__cell_writer(seen), step = a->self->step;
    uint32_t one = svs__cell_reader(seen), two = svs__cell_other_reader(seen);
    uint64_t second = seen->second;
    bool beside_one, beside_two;
    if (writer == step || one == step || two == step) return;
    if (is_parallel(a, writer)) {
        o->racing = writer;
        o->wrote = true;
    }
    beside_one = is_beside_reader(a, seen, one);
    beside_two = is_beside_reader(a, seen, two);
    if (beside_one && beside_two) {
        if (SVS__UNLIKELY(svs__is_above_runs(THREE_LEVELS))) second = crowd(a, one, two, second);
        if (svs__relation(a->self->worker, step, one).depth <
            svs__pair_depth(a->self->worker, one, two))
            one = step;
        else if (second == seen->second) return;
    } else if (beside_one) two = step;
    else {
        one = step;
        if (!beside_two) {
            two = 0;
            second &= ~(uint64_t)SVS__CELL_CROWDED;
        }
    }
    o->changes = true;
    o->then.first = (uint64_t)writer << 32 | one;
    o->then.second = svs__cell_kept(second, two, extent);
}

/* Compares an access with a cell of the other kind, plain or atomic. All entries of an atomic cell
 * are readers, and each conflicts with the access. In a plain cell, an atomic write conflicts with
 * all entries, an atomic read with the writer only. */
static void decide_look(const access *a, const svs__wide *seen, outcome *o) {
    uint32_t others[] = {svs__cell_writer(seen), svs__cell_reader(seen),
                         svs__cell_other_reader(seen)};
    int count = a->write || a->address >= SVS__ATOMIC_WRITES ? 3 : 1;
    for (int i = 0; i < count && o->racing == 0; i++)
        if (i == 0 ? is_parallel(a, others[0]) : is_beside_reader(a, seen, others[i])) {
            o->racing = others[i];
            o->wrote = i == 0;
        }
}

static outcome decide(const access *a, const svs__wide *seen, uint8_t extent) {
    outcome o = {*seen, false, false, 0, NULL, 0};
    if (SVS__UNLIKELY(a->looks)) decide_look(a, seen, &o);
    else if (a->write) decide_write(a, seen, extent, &o);
    else decide_read(a, seen, extent, &o);
    return o;
}

/* Reports the race by the program's callback. */
SVS__COLD static void report(const access *a, uintptr_t noted, size_t bytes, const outcome *o) {
    svs__check_thread *self = a->self;
    uintptr_t address = noted % SVS__ATOMIC_WRITES;
    svs_check_race race;
    uint32_t step = self->step;
    if (svs__check_is_of_async(self, address) || svs__check_is_own(address) ||
        svs__check_is_of_library(address, a->pc) ||
        (self->instance != NULL && svs__the_graph_hooks->judges(self->instance, o->racing)))
        return;
    svs__worker_count(&self->worker->races, 1);
    memset(&race, 0, sizeof race);
    race.address = (const void *)address;
    race.bytes = bytes;
    race.verdict = SVS_CHECK_VERDICT_RACE;
    race.before.step = o->racing;
    race.before.write = o->wrote || (noted & SVS__ATOMIC_WRITES) != 0;
    race.before.pc = o->pc;
    race.before.frame = o->frame;
    race.now = (svs_check_access){step, a->write, a->pc, a->frame, NULL, 0, 0, 0};
    if (self->instance != NULL) svs__the_graph_hooks->name(self->instance, &race);
    self->step = 0; /* accesses of the report itself are not checked */
    svs__the_checker.options.found(&race, svs__the_checker.options.found_argument);
    self->step = step;
}

/* [dpst.H5] Is the cell of this extent at the address in use? Called after a step was noted in a
 * cell that was empty. */
static bool is_in_use(const access *a, svs__cell *cell, uint8_t extent) {
    uintptr_t address = a->address;
    uint8_t first;
    if (extent == SVS__CELL_STRIP) return true;
    if (extent != SVS__CELL_WHOLE && extent != SVS__CELL_LOW) cell = svs__shadow_find(address);
    /* acquire, here and below: comes after the note. A clear that has emptied the cell before the
     * note holds the coarser cell, or has emptied it. */
    first = svs__cell_extent(svs__load_acquire(&svs__shadow_strip(cell, address)->second));
    if (extent == SVS__CELL_LINE || first != SVS__CELL_DIVIDED) return first == SVS__CELL_DIVIDED;
    first = svs__cell_extent(svs__load_acquire(&svs__shadow_line(cell, address)->second));
    if (first != SVS__CELL_DIVIDED) return false;
    first = svs__cell_extent(svs__load_acquire(&cell->second));
    return extent == SVS__CELL_HIGH   ? first == SVS__CELL_LOW
           : extent == SVS__CELL_BYTE ? first == SVS__CELL_BYTES
                                      : true;
}

/* Applies the access to one cell, which covers `bytes` from `address`. @return false when the cell
 * is neither empty nor of this `extent` any more, or is not in use. */
static bool apply(const access *a, svs__cell *cell, uint8_t extent, uintptr_t address,
                  size_t bytes) {
    const svs__site_note none = {0, 0};
    svs__site_note replaced = none;
    for (;;) {
        svs__wide seen = svs__wide_read(cell);
        uint8_t now = svs__cell_extent(seen.second);
        outcome o;
        if (now == SVS__CELL_LOCKED) {
            svs__yield();
            continue;
        }
        if (now != extent && now != SVS__CELL_EMPTY) return false;
        o = decide(a, &seen, extent);
        /* comes before the access's own note, which may replace this one */
        if (SVS__UNLIKELY(o.racing != 0))
            (void)svs__site_find(address, o.racing, o.wrote,
                                 o.wrote == a->write ? &replaced : &none, &o.pc, &o.frame);
        if (o.changes) {
            SVS__ASSERT(address < SVS__ATOMIC_WRITES || o.then.first >> 32 == 0); /* dpst.M1 */
            replaced = svs__site_take(address, bytes, a->self->step, a->write, a->pc, a->frame);
            if (!svs__wide_change(cell, &seen, &o.then)) continue;
            if (now == SVS__CELL_EMPTY && !is_in_use(a, cell, extent)) {
                (void)svs__wide_change(cell, &o.then, &svs__cell_empty); /* unless it has changed */
                return false;
            }
        } else if (!a->write && !a->looks && o.racing == 0 &&
                   svs__cell_crowd(&seen) == 0) { /* dpst.C3 */
            a->self->steady_steps = seen.first;
            a->self->steady_reader = svs__cell_other_reader(&seen);
        }
        if (SVS__UNLIKELY(o.racing != 0)) report(a, address, bytes, &o);
        return true;
    }
}

/* Applies the access to bytes that have one cell each. @return false when these are not in use any
 * more. */
static bool apply_bytes(const access *a, svs__cell *cell, uint32_t from, uint32_t to) {
    svs__cell *bytes = svs__shadow_bytes_of(cell, a->address);
    for (uint32_t i = from; i < to; i++)
        if (!apply(a, &bytes[i], SVS__CELL_BYTE, a->address + i, 1)) return false;
    return true;
}

/* Has the running step made this access before, as the cell shows? (dpst.C2) */
static bool is_known(const access *a, const svs__wide *seen) {
    uint32_t step = a->self->step;
    return svs__cell_writer(seen) == step ||
           (!a->write && (svs__cell_reader(seen) == step || svs__cell_other_reader(seen) == step));
}

static bool has_effect(const access *a, const svs__wide *seen) {
    outcome o = decide(a, seen, svs__cell_extent(seen->second));
    return o.changes || o.racing != 0;
}

/* Would the result be the same as for the last read? (dpst.C3) */
static bool is_steady(const access *a, const svs__wide *seen) {
    bool steady = !a->write && seen->first == a->self->steady_steps &&
                  svs__cell_other_reader(seen) == a->self->steady_reader;
    SVS__ASSERT_SLOW(!steady || !has_effect(a, seen)); /* dpst.C3 */
    return steady;
}

typedef bool divider(svs__cell *cell, uintptr_t address, const svs__wide *seen);

/* Divides the line or strip `whole`, if necessary. @return whether it is divided, so that its
 * eighths can be compared (dpst.H3). If not, the caller tries again, unless `*known`: then the
 * access is done. */
static inline bool open_whole(const access *a, svs__cell *cell, svs__cell *whole, uint8_t undivided,
                              divider *divide, bool *known) {
    svs__wide seen = svs__wide_read(whole);
    uint8_t extent = svs__cell_extent(seen.second);
    *known = extent == undivided && is_known(a, &seen);
    if (*known) return false;
    if (extent == SVS__CELL_DIVIDED) return true;
    if (extent == SVS__CELL_LOCKED) svs__yield();
    else (void)divide(cell, a->address, &seen);
    return false;
}

static bool open_strip(const access *a, svs__cell *cell, bool *known) {
    return open_whole(a, cell, svs__shadow_strip(cell, a->address), SVS__CELL_STRIP,
                      svs__shadow_divide_strip, known);
}

/* open_whole() for a line of a divided strip. */
static bool open_line(const access *a, svs__cell *cell, bool *known) {
    return open_whole(a, cell, svs__shadow_line(cell, a->address), SVS__CELL_LINE,
                      svs__shadow_divide_line, known);
}

/* Applies the access to the bytes `from` to `to` of the block. */
static void access_block(const access *a, svs__cell *cell, uint32_t from, uint32_t to) {
    bool low = from == 0 && to >= 4, high = to == 8 && from <= 4, known = false;
    bool halves = (from == 0 || from == 4) && (to == 4 || to == 8);
    while (!known) {
        svs__wide seen;
        uint8_t extent;
        if (!open_strip(a, cell, &known)) continue;
        seen = svs__wide_read(cell);
        extent = svs__cell_extent(seen.second);
        /* Also holds for a part of the cell's bytes: all of them have the same history. */
        if (!a->looks && extent == SVS__CELL_WHOLE && (is_known(a, &seen) || is_steady(a, &seen)))
            return;
        if (extent == SVS__CELL_LOCKED) svs__yield();
        else if (extent == SVS__CELL_EMPTY && !open_line(a, cell, &known)) continue;
        else if (extent == SVS__CELL_BYTES) {
            if (apply_bytes(a, cell, from, to)) return;
        } else if (!halves) svs__shadow_divide(cell, a->address);
        else if (low && high && extent != SVS__CELL_LOW) {
            if (apply(a, cell, SVS__CELL_WHOLE, a->address, 8)) return;
        } else if (extent == SVS__CELL_WHOLE || (extent == SVS__CELL_EMPTY && high)) {
            (void)svs__shadow_halve(cell, &seen);
        } else {
            if (low && !apply(a, cell, SVS__CELL_LOW, a->address, 4)) continue;
            if (high && !apply(a, svs__shadow_half(cell), SVS__CELL_HIGH, a->address + 4, 4))
                continue;
            return;
        }
    }
}

/* Applies the access to 512 or 64 aligned bytes as a whole. @return false when these are
 * divided. */
static bool access_whole(access *a, svs__cell *whole, uint8_t extent, uintptr_t at, size_t bytes) {
    svs__wide seen = svs__wide_read(whole);
    uint8_t now = svs__cell_extent(seen.second);
    if (now == extent && (is_known(a, &seen) || is_steady(a, &seen))) return true;
    return now != SVS__CELL_DIVIDED && apply(a, whole, extent, at, bytes);
}

static bool access_strip(access *a, svs__cell *cell, uintptr_t at) {
    return access_whole(a, svs__shadow_strip(cell, at), SVS__CELL_STRIP, at, 512);
}

static bool access_line(access *a, svs__cell *cell, uintptr_t at) {
    bool known = false;
    a->address = at;
    while (!open_strip(a, cell, &known))
        if (known) return true;
    return access_whole(a, svs__shadow_line(cell, at), SVS__CELL_LINE, at, 64);
}

/* ---- ranges ---- */

/* The cells of a long range have most often left the caches. They are prefetched, so the rest
 * arrive while the first are compared. */
#define AHEAD ((uintptr_t)8192)
#define LONG 1024u

/* Prefetches the cells at an end of the range, which is mostly within a line: the cells of blocks
 * and of neighbouring lines. */
static void fetch_end(const access *a, uintptr_t at) {
    uintptr_t line = at / 64 * 64, strip = at / 512 * 512;
    svs__cell *cell = svs__shadow_find(line);
    if (cell == NULL) return;
    for (uintptr_t i = 0; i < 8; i++) {
        __builtin_prefetch(cell + i, 1);
        __builtin_prefetch(svs__shadow_line(cell, line) - line % 512 / 64 + i, 1);
        svs__site_fetch(line + i * 8, 8, a->write);
        svs__site_fetch(strip + i * 64, 64, a->write);
    }
}

static void fetch_strips(const access *a, uintptr_t at, uintptr_t end) {
    uintptr_t leaf_end = (at / SVS__LEAF_BYTES + 1) * SVS__LEAF_BYTES;
    svs__cell *cell = svs__shadow_find(at), *strip;
    if (cell == NULL) return;
    if (end > leaf_end) end = leaf_end;
    if (end > at + AHEAD) end = at + AHEAD;
    strip = svs__shadow_strip(cell, at);
    for (at = at / 512 * 512; at < end; at += 512) {
        __builtin_prefetch(strip++, 1);
        svs__site_fetch(at, 512, a->write);
    }
}

/* Applies the access to the bytes from `at` to the end of a strip, a line or a block. @return the
 * end of these bytes. */
static uintptr_t access_next(access *a, uintptr_t at, uintptr_t end) {
    svs__cell *cell = svs__shadow_cell(at);
    uintptr_t next = at / 8 * 8 + 8;
    if (SVS__UNLIKELY(cell == NULL)) svs__worker_count(&a->self->worker->lost, 1);
    else if (at % 512 == 0 && end - at >= 512 && access_strip(a, cell, at)) next = at + 512;
    else if (at % 64 == 0 && end - at >= 64 && access_line(a, cell, at)) next = at + 64;
    else {
        a->address = next - 8;
        access_block(a, cell, (uint32_t)(at % 8), next < end ? 8 : (uint32_t)(end - (next - 8)));
    }
    return next;
}

static void access_range(access *a, uintptr_t at, uintptr_t end) {
    uintptr_t fetched = at;
    if (end - at >= LONG) {
        fetch_end(a, at);
        fetch_end(a, end - 1);
    }
    while (at < end) {
        if (at >= fetched && end - at >= LONG) {
            fetch_strips(a, at, end);
            fetched = at + AHEAD;
        }
        at = access_next(a, at, end);
    }
}

/* Is the step open? relaxed is enough: it is the thread's own step. */
static bool is_open(uint32_t step) {
    return step != 0 && step != SVS__STEP_NEW &&
           svs__load_relaxed(&svs__the_checker.tree.states[step]) == SVS__NODE_OPEN;
}

void svs__spd3_note(svs__check_thread *self, uintptr_t from, uintptr_t end,
                    const svs__origin *origin) {
    access a = {self, 0, origin->write, origin->pc, origin->frame, false};
    SVS__ASSERT(is_open(self->step)); /* dpst.C1, dpst.X4 */
    access_range(&a, from, end);
}

void svs__spd3_look(svs__check_thread *self, uintptr_t from, uintptr_t end,
                    const svs__origin *origin) {
    access a = {self, 0, origin->write, origin->pc, origin->frame, true};
    access_range(&a, from, end);
}
