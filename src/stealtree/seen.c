#include "stealtree/seen.h"

svs__seen svs__seen_of(const svs_trace *trace, uint32_t worker) {
    /* acquire: sees the chunk's head; pairs with the release in record.c. */
    return (svs__seen){.cursor.chunk =
                           svs__load_acquire(&trace->streams[trace->workers + worker].first),
                       .names = &trace->names};
}

/* The part of an event that was not read yet. */
typedef struct input {
    const unsigned char *at, *end;
    const char *wrong;
} input;

static uint64_t take(input *in) {
    uint64_t number = 0;
    const unsigned char *next = in->wrong ? NULL : svs__number_get(in->at, in->end, &number);
    if (next != NULL) in->at = next;
    else if (!in->wrong) in->wrong = "is no number, or is cut off";
    return number;
}

static uint32_t take_below(input *in, uint64_t end, const char *wrong) {
    uint64_t number = take(in);
    if (number >= end && !in->wrong) in->wrong = wrong;
    return (uint32_t)number;
}

static uint32_t take_count(input *in) {
    return take_below(in, (uint64_t)UINT32_MAX + 1, "has a count of more than 32 bits");
}

static uint32_t take_task(const svs__seen *seen, input *in) {
    return take_below(in, seen->names->tasks, "names a task that does not exist");
}

static uint64_t take_seed(svs__seen *seen, input *in) {
    seen->seed += take(in);
    return seen->seed;
}

/* Reads the differences between successive seeds. A difference of 0 is followed by 0, or by the
 * number of seeds that are each 1 more than the last. */
static void read_seeds(svs__seen *seen, input *in, uint64_t *seeds, uint32_t count) {
    for (uint32_t i = 0; i < count && !in->wrong;) {
        uint64_t difference = take(in), more = difference ? 0 : take(in);
        if (more > count - i) in->wrong = "has a row of seeds that is too long";
        else if (!more) seeds[i++] = seen->seed += difference;
        else
            for (; more; more--) seeds[i++] = ++seen->seed;
    }
}

static void read_group(svs__seen *seen, input *in, svs__seen_event *event, uint64_t more,
                       uint64_t since) {
    svs__seen_group *g = &event->of.group;
    uint64_t took = take(in);
    if (more >= SVS__SEEN_GROUP_MAX) in->wrong = "has more than 1024 instances";
    else if (took > since) in->wrong = "overlaps with the one before";
    g->end_ns = event->ns;
    g->begin_ns = event->ns - took;
    g->task = take_task(seen, in);
    g->run = take_count(in);
    g->iteration = take_count(in);
    g->rows = NULL;
    g->row_count = 0;
    g->count = in->wrong ? 0 : (uint32_t)more + 1;
    read_seeds(seen, in, event->seeds, g->count);
}

static void read_stage(const svs__seen *seen, input *in, svs__seen_event *event, uint64_t more) {
    svs__seen_stage *s = &event->of.stage;
    if (more > SVS__SEEN_WINDOW_STAGE) in->wrong = "is of an unknown kind";
    s->kind = (svs__seen_kind)more;
    s->task = take_task(seen, in);
    s->run = take_count(in);
    s->iteration = take_count(in);
    s->width = take_count(in);
    s->stages = take_count(in);
    s->parted = take_count(in);
    s->explained = take_count(in);
    s->deferrals = take_count(in);
}

static void read_deferral(svs__seen *seen, input *in, svs__seen_event *event, uint64_t more) {
    svs__seen_deferral *d = &event->of.deferral;
    if (more >= SVS__SEEN_FLAGS_END || (more & (SVS__SEEN_PARTED - 1)) >= SVS__SEEN_CAUSES)
        in->wrong = "is of an unknown kind";
    d->cause = (svs__seen_cause)(more & (SVS__SEEN_PARTED - 1));
    d->parted = more & SVS__SEEN_PARTED;
    d->writes = more & SVS__SEEN_WRITES;
    d->has_index = more & SVS__SEEN_HAS_INDEX;
    d->has_other = more & SVS__SEEN_HAS_OTHER;
    d->task = take_task(seen, in);
    d->run = take_count(in);
    d->iteration = take_count(in);
    d->seed = take_seed(seen, in);
    d->place =
        take_below(in, (uint64_t)seen->names->places + 1, "names a place that does not exist");
    d->at = take(in);
    if (!d->has_other) return;
    d->other_task = take_task(seen, in);
    d->other_seed = take_seed(seen, in);
}

static void read_event(svs__seen *seen, input *in, svs__seen_event *event) {
    uint64_t head = take(in), since = take(in), more = head >> SVS__SEEN_TAG_BITS;
    if (in->wrong == NULL && since > UINT64_MAX - seen->ns)
        in->wrong = "is later than a clock can tell";
    event->tag = (svs__seen_tag)(head & ((1u << SVS__SEEN_TAG_BITS) - 1));
    event->ns = seen->ns + since;
    switch (event->tag) {
    case SVS__SEEN_RAN: read_group(seen, in, event, more, since); break;
    case SVS__SEEN_STAGED: read_stage(seen, in, event, more); break;
    case SVS__SEEN_DEFERRED: read_deferral(seen, in, event, more); break;
    default: in->wrong = "is of an unknown kind";
    }
}

bool svs__seen_next(svs__seen *seen, svs__seen_event *event) {
    input in = {0};
    const unsigned char *from;
    if (seen->wrong != NULL) return false;
    from = in.at = svs__cursor_bytes(&seen->cursor, &in.end);
    if (from == NULL) return false;
    read_event(seen, &in, event);
    seen->wrong = in.wrong;
    if (in.wrong) return false;
    seen->ns = event->ns;
    seen->cursor.at += (uint32_t)(in.at - from);
    seen->offset += (uint64_t)(in.at - from);
    return true;
}
