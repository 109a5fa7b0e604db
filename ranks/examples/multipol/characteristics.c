#include "characteristics.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- histograms ---- */

static uint32_t bucket_of(uint64_t value) {
    uint32_t power = 63 - (uint32_t)__builtin_clzll(value | 1);
    return value < 8 ? (uint32_t)value : (power - 2) * 8 + ((value >> (power - 3)) & 7);
}

uint64_t characteristics_from(uint32_t bucket) {
    if (bucket < 8) return bucket;
    if (bucket >= CHARACTERISTICS_BUCKETS) return UINT64_MAX;
    return (uint64_t)(8 + bucket % 8) << (bucket / 8 - 1);
}

static void add_to(characteristics_bucket *histogram, uint64_t value, uint64_t count) {
    characteristics_bucket *bucket = &histogram[bucket_of(value)];
    bucket->count += count;
    bucket->sum += count * value;
}

/* ---- events ---- */

static void fiber_created(const svs_observed_fiber *fiber, void *argument) {
    (void)fiber;
    ((characteristics *)argument)->counts.threads++;
}

static void fiber_begins(const svs_observed_fiber *fiber, void *argument) {
    characteristics *of = argument;
    (void)fiber;
    of->counts.fibers++;
    if (of->depth++ < CHARACTERISTICS_NESTED) of->begun[of->depth - 1] = svs_ranks_now(of->ranks);
}

static void fiber_ends(const svs_observed_fiber *fiber, bool continues, void *argument) {
    characteristics *of = argument;
    (void)fiber, (void)continues;
    if (--of->depth < CHARACTERISTICS_NESTED)
        add_to(of->counts.fiber_ns, svs_ranks_now(of->ranks) - of->begun[of->depth], 1);
}

static void handler_begins(const svs_observed_records *records, void *argument) {
    characteristics *of = argument;
    of->counts.in_place += records->handler->dispatch == SVS_DISPATCH_IN_PLACE;
    if (records->from == svs_ranks_index(of->ranks)) {
        of->counts.own_records += records->count;
        return;
    }
    of->counts.communication_events += records->count;
    of->counts.communication_bytes += (uint64_t)records->count * records->bytes;
    add_to(of->counts.record_bytes, records->bytes, records->count);
}

static void waits(const svs_observed_fiber *fiber, svs_wait_kind kind, void *argument) {
    (void)fiber, (void)kind;
    ((characteristics *)argument)->counts.sync_events++;
}

static void packet_sent(uint32_t to, svs_packet_rule rule, uint32_t records, size_t bytes,
                        void *argument) {
    characteristics *of = argument;
    (void)to, (void)rule, (void)records;
    of->counts.packets++;
    of->counts.packet_bytes += bytes;
}

svs_status characteristics_begin(characteristics *of, svs_ranks *ranks, const char *path) {
    *of = (characteristics){.ranks = NULL, .path = path};
    if (path == NULL) return SVS_OK;
    of->ranks = ranks;
    svs_ranks_observer_init(&of->observer);
    of->observer.fiber_created = fiber_created;
    of->observer.fiber_begins = fiber_begins;
    of->observer.fiber_ends = fiber_ends;
    of->observer.handler_begins = handler_begins;
    of->observer.waits = waits;
    of->observer.packet_sent = packet_sent;
    of->observer.argument = of;
    return svs_ranks_observer_attach(ranks, &of->observer);
}

/* ---- the sums of all ranks ---- */

enum { NUMBERS = sizeof(characteristics_counts) / sizeof(uint64_t) };

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

typedef struct summing {
    svs_thread thread;
    svs_counter done;
    svs_distributed *object;
    const characteristics_counts *mine;
    characteristics_counts *sums;
} summing;

static svs_status sum(svs_ranks *ranks, void *state) {
    summing *me = *(summing **)state;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    status = svs_distributed_new(ranks, "characteristics", 0, me, &me->object, &me->done);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, me, &me->done, 1);
    status = svs_reduce(me->object, add, me->mine, me->sums, sizeof(uint64_t), NUMBERS, &me->done);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, me, &me->done, 2);
    SVS_THREAD_END;
}

static svs_status start(svs_ranks *ranks, void *state) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, sum, &state, sizeof state, NULL, &fiber);
    return status != SVS_OK ? status : svs_fiber_enable(ranks, fiber);
}

/* ---- what rank 0 writes ---- */

static void print_row(const characteristics_counts *of, const char *program, uint32_t ranks) {
    printf("bench=characteristics program=%s ranks=%u threads=%" PRIu64 " fibers=%" PRIu64
           " in_place=%" PRIu64 " sync_events=%" PRIu64 " communication_events=%" PRIu64
           " communication_bytes=%" PRIu64 " own_records=%" PRIu64 " packets=%" PRIu64
           " packet_bytes=%" PRIu64 "\n",
           program, ranks, of->threads, of->fibers, of->in_place, of->sync_events,
           of->communication_events, of->communication_bytes, of->own_records, of->packets,
           of->packet_bytes);
    (void)fflush(stdout);
}

static void write_histogram(FILE *file, const char *name, const characteristics_bucket *histogram) {
    for (uint32_t i = 0; i < CHARACTERISTICS_BUCKETS; i++)
        if (histogram[i].count != 0)
            fprintf(file, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", name,
                    characteristics_from(i), characteristics_from(i + 1), histogram[i].count,
                    histogram[i].sum);
}

static svs_status write_file(const characteristics_counts *of, const char *path) {
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fprintf(file, "histogram,from,below,count,sum\n");
        write_histogram(file, "fiber_ns", of->fiber_ns);
        write_histogram(file, "record_bytes", of->record_bytes);
        if (fclose(file) == 0) return SVS_OK;
    }
    fprintf(stderr, "characteristics: %s cannot be written: name a file in a folder that exists\n",
            path);
    return SVS_E_INVALID;
}

svs_status characteristics_end(characteristics *of, const char *program) {
    characteristics_counts sums;
    summing me = {.mine = &of->counts, .sums = &sums};
    svs_ranks *ranks = of->ranks;
    svs_status status;
    if (ranks == NULL) return SVS_OK;
    status = svs_ranks_observer_detach(ranks, &of->observer);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start, &me);
    if (status != SVS_OK || svs_ranks_index(ranks) != 0) return status;
    print_row(&sums, program, svs_ranks_count(ranks));
    return write_file(&sums, of->path);
}
