/* Accesses that the inline part leaves undecided: they are compared, or become part of a stream.
 *
 * When a stream ends, all of it is compared at once. Loops often read the same memory again,
 * through another pointer or as the row above. So the step remembers the last ranges that it has
 * compared, and compares only the rest of a stream (dpst.C5). */
#include "dpst/shadow/spd3.h"
#include "hooks/graph_hooks.h"

/* Notes a plain access, and compares it with atomic ones. */
static void compare(svs__check_thread *self, uintptr_t from, uintptr_t end,
                    const svs__origin *origin) {
    svs__spd3_note(self, from, end, origin);
    if (SVS__UNLIKELY(svs__atomics_are_used())) svs__atomics_meet(self, from, end, origin);
}

/* ---- what the step has compared (dpst.C5) ---- */

static uint32_t count(const svs__cover *cover) {
    return cover->made < SVS__COVERED ? cover->made : SVS__COVERED;
}

/* Shortens the range at its ends by the parts that are in a remembered range. */
static void take_covered(const svs__cover *cover, uintptr_t *from, uintptr_t *end) {
    for (uint32_t i = 0; i < count(cover); i++) {
        const svs__span *r = &cover->ranges[i];
        if (r->from <= *from && *from < r->end) *from = r->end;
        if (r->from < *end && *end <= r->end) *end = r->from;
    }
}

/* Is all of the range in one remembered range? */
static bool is_in(const svs__cover *cover, uintptr_t from, uintptr_t end) {
    for (uint32_t i = 0; i < count(cover); i++)
        if (cover->ranges[i].from <= from && end <= cover->ranges[i].end) return true;
    return false;
}

/* Remembers a range. Ranges that touch are merged; a further one replaces the oldest. */
static void cover(svs__cover *cover, uintptr_t from, uintptr_t end) {
    for (uint32_t i = 0; i < count(cover); i++) {
        svs__span *r = &cover->ranges[i];
        if (from > r->end || end < r->from) continue;
        if (from < r->from) r->from = from;
        if (end > r->end) r->end = end;
        return;
    }
    if (end - from < SVS__COVERED_LEAST) return;
    cover->ranges[cover->made++ % SVS__COVERED] = (svs__span){from, end};
}

static bool is_covered(const svs__check_thread *self, uintptr_t from, uintptr_t end, bool write) {
    return is_in(&self->written, from, end) || (!write && is_in(&self->read, from, end));
}

/* Compares the part of the range that has not been compared. */
static void compare_rest(svs__check_thread *self, uintptr_t from, uintptr_t end,
                         const svs__origin *origin) {
    uintptr_t begin = from, until = end;
    take_covered(&self->written, &from, &end);
    if (!origin->write) take_covered(&self->read, &from, &end);
    if (from < end) compare(self, from, end, origin);
    cover(origin->write ? &self->written : &self->read, begin, until);
}

/* ---- streams ---- */

static _Atomic(bool) at_once; /* true: there are no streams, each access is compared at once */

static svs__origin origin_of(const svs__access_stream *stream) {
    uint32_t low = (uint32_t)stream->key - stream->kind;
    uintptr_t pc = (uintptr_t)((uint64_t)stream->pc_high << 32 | low);
    return (svs__origin){(const void *)pc, (uint32_t)(stream->key >> 32), stream->kind & 1};
}

static void end_stream(svs__check_thread *self, uint32_t number) {
    svs__access_stream stream = self->streams[number];
    const svs__origin origin = origin_of(&stream);
    self->streams[number].next = self->streams[number].key = 0;
    self->streaming &= ~((uint64_t)1 << number);
    if (stream.next == stream.from) return;
    self->accesses += (stream.next - stream.from) >> (stream.kind >> 1);
    compare_rest(self, stream.from, stream.next, &origin);
}

void svs__streams_end(svs__check_thread *self) {
    while (SVS__UNLIKELY(self->streaming != 0))
        end_stream(self, (uint32_t)__builtin_ctzll(self->streaming));
    self->read.made = self->written.made = 0;
}

/* Begins a stream at `next`, unless another stream needs the entry. */
static void begin_stream(svs__check_thread *self, const void *pc, uint32_t kind, uintptr_t next) {
    svs__access_stream *stream = svs__stream_of(self, pc);
    uint64_t key = svs__stream_key(self, pc, kind);
    uint32_t number = (uint32_t)(stream - self->streams);
    if ((self->streaming >> number & 1) != 0) {
        if (stream->key != key && stream->seen != (uint32_t)stream->next) {
            stream->seen = (uint32_t)stream->next;
            return;
        }
        end_stream(self, number);
    }
    *stream = (svs__access_stream){
        key, next, next, 0, (uint16_t)((uint64_t)(uintptr_t)pc >> 32), (uint8_t)kind};
    self->streaming |= (uint64_t)1 << number;
}

void svs__check_slow(const void *address, size_t bytes, bool write, const void *pc) {
    svs__check_thread *self = svs__check_self;
    const svs__origin origin = {pc, self->frame, write};
    uintptr_t at = (uintptr_t)address, end = at + bytes;
    if (self->step == 0 || end <= at || end > SVS__ATOMIC_WRITES) return;
    if (self->step == SVS__STEP_NEW && svs__step_make(self) == 0) {
        svs__worker_count(&self->worker->lost, 1);
        return;
    }
    svs__check_stack_touched(self, at);
    if (SVS__UNLIKELY(self->instance != NULL)) { /* an instance checks each access by itself */
        if (!svs__the_graph_hooks->access(
                self, &(svs__touch){at, bytes, pc, write, false, self->linking}))
            compare(self, at, end, &origin);
        return;
    }
    if (!is_covered(self, at, end, write)) compare(self, at, end, &origin);
    /* relaxed is enough: `at_once` was set before anything ran. */
    if (svs__has_kind(bytes) && !svs__load_relaxed(&at_once))
        begin_stream(self, pc, svs__kind(bytes, write), end);
}

void svs__check_put_nothing_off(void) { svs__store_relaxed(&at_once, true); }
