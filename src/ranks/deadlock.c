#include "ranks/deadlock.h"
#include "ranks/ending.h"
#include <inttypes.h>
#include <string.h>

/* At most so many waits of a rank are listed. */
#define WAITS_MAX 1024u

typedef struct svs__wait {
    uint64_t counter; /* its address; 0: created, and never enabled */
    int64_t value, at_least;
    uint32_t fiber, threaded;
} svs__wait;

typedef struct svs__report {
    uint64_t suspended;
    uint32_t count, reserved;
    svs__wait waits[WAITS_MAX];
} svs__report;

static uint32_t length_of(uint32_t count) {
    return (uint32_t)(offsetof(svs__report, waits) + count * sizeof(svs__wait));
}

static void collect(svs_ranks *ranks, svs__report *report) {
    report->suspended = ranks->fibers.suspended;
    for (uint32_t i = 0; i < svs__fiber_count(ranks) && report->count < WAITS_MAX; i++) {
        const svs__fiber *fiber = svs__fiber_at(ranks, i);
        svs__wait *wait = &report->waits[report->count];
        if (fiber->stage != SVS__FIBER_CREATED && fiber->stage != SVS__FIBER_WAITS) continue;
        wait->fiber = i;
        wait->threaded = fiber->threaded;
        if (fiber->stage == SVS__FIBER_WAITS) {
            wait->counter = (uint64_t)(uintptr_t)fiber->counter;
            wait->value = fiber->counter->value;
            wait->at_least = fiber->at_least;
        }
        report->count++;
    }
    SVS__ASSERT(report->suspended >= report->count); /* ranks.Q2 */
}

/* ---- rank 0 ---- */

static void describe(char *text, size_t size, uint32_t rank, const svs__wait *wait) {
    const char *what = wait->threaded != 0 ? "thread" : "fiber";
    if (wait->counter == 0)
        (void)snprintf(text, size, "%s %u of rank %u was created and never enabled", what,
                       wait->fiber, rank);
    else
        (void)snprintf(text, size,
                       "%s %u of rank %u waits for counter 0x%" PRIx64 ", which is %" PRId64
                       ", to be %" PRId64,
                       what, wait->fiber, rank, wait->counter, wait->value, wait->at_least);
}

static void draw(FILE *dot, uint32_t rank, const svs__wait *wait) {
    if (dot == NULL) return;
    fprintf(dot, "  r%uf%u [label=\"rank %u, %s %u%s\"];\n", rank, wait->fiber, rank,
            wait->threaded != 0 ? "thread" : "fiber", wait->fiber,
            wait->counter == 0 ? "\\nnever enabled" : "");
    if (wait->counter == 0) return;
    fprintf(dot,
            "  r%uc%" PRIx64 " [shape=box, label=\"counter 0x%" PRIx64 "\\nis %" PRId64 "\"];\n",
            rank, wait->counter, wait->counter, wait->value);
    fprintf(dot, "  r%uf%u -> r%uc%" PRIx64 " [label=\"at least %" PRId64 "\"];\n", rank,
            wait->fiber, rank, wait->counter, wait->at_least);
}

/* Appends a wait to the failure's text while there is room, and logs it. */
static void list(svs_ranks *ranks, uint32_t rank, const svs__wait *wait) {
    char text[160];
    char *all = ranks->failed.text;
    size_t length = strlen(all);
    describe(text, sizeof text, rank, wait);
    svs__log_write(&ranks->log, SVS_LOG_ERROR, "deadlock: %s", text);
    if (length + strlen(text) + 3 < sizeof ranks->failed.text)
        (void)snprintf(all + length, sizeof ranks->failed.text - length, "; %s", text);
}

static void take_report(svs_ranks *ranks, uint32_t rank, const svs__report *report) {
    for (uint32_t i = 0; i < report->count; i++) {
        draw(ranks->waves.dot, rank, &report->waits[i]);
        list(ranks, rank, &report->waits[i]);
    }
    ranks->waves.waits += report->suspended;
    if (++ranks->waves.reports < ranks->count) return;
    if (ranks->waves.dot != NULL) fprintf(ranks->waves.dot, "}\n");
    svs__deadlock_clean_up(ranks);
    svs__ending_begin(ranks, &ranks->failed);
}

void svs__deadlock_clean_up(svs_ranks *ranks) {
    if (ranks->waves.dot != NULL) (void)fclose(ranks->waves.dot);
    ranks->waves.dot = NULL;
}

static void open_file(svs_ranks *ranks) {
    const char *name = ranks->options.deadlock_file;
    ranks->waves.dot = name == NULL ? NULL : fopen(name, "w");
    if (ranks->waves.dot != NULL) fprintf(ranks->waves.dot, "digraph deadlock {\n");
    else if (name != NULL)
        svs__log_write(&ranks->log, SVS_LOG_WARNING, "deadlock_file %s cannot be written", name);
}

/* ---- all ranks ---- */

static svs__report *new_report(svs_ranks *ranks) {
    svs__report *report = svs__allocate_zeroed(&ranks->options.allocator, sizeof *report, 16);
    if (report != NULL) collect(ranks, report);
    else
        (void)svs__fail(ranks, SVS_E_NO_MEMORY,
                        "all ranks are idle, fibers wait, and there is no "
                        "memory to list them");
    return report;
}

static void free_report(svs_ranks *ranks, svs__report *report) {
    svs__release(&ranks->options.allocator, report, sizeof *report, 16);
}

void svs__deadlock_begin(svs_ranks *ranks) {
    svs__report *report = new_report(ranks);
    if (report == NULL) return;
    ranks->waves.reporting = true;
    open_file(ranks);
    svs__verdict_set(&ranks->failed, SVS__VERDICT_FAILED, 0, SVS_E_DEADLOCK,
                     "all ranks are idle, and fibers wait for what nothing will do");
    for (uint32_t i = 1; i < ranks->count; i++)
        if (!svs__control_send(ranks, i, SVS__PACKET_REPORT, NULL, 0, NULL)) {
            ranks->failed.status = SVS_OK;
            (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory to report a deadlock");
            svs__ending_begin(ranks, &ranks->failed);
        }
    take_report(ranks, 0, report);
    free_report(ranks, report);
}

static bool is_whole(const svs__report *report, uint32_t bytes) {
    return bytes >= length_of(0) && report->count <= WAITS_MAX &&
           bytes == length_of(report->count) && report->suspended >= report->count;
}

/* Rank 0. A malformed report counts, so that the run ends, but nothing of it is listed. */
static void hear_report(svs_ranks *ranks, uint32_t from, const svs__report *report,
                        uint32_t bytes) {
    static const svs__report none;
    bool whole = is_whole(report, bytes);
    if (!ranks->waves.reporting)
        (void)svs__fail(ranks, SVS_E_RECORD,
                        "a packet from rank %u is malformed at byte 4: a report that was not "
                        "asked for",
                        from);
    else take_report(ranks, from, whole ? report : &none);
}

void svs__deadlock_heard(svs_ranks *ranks, uint32_t from, const unsigned char *data,
                         uint32_t bytes) {
    svs__report *report;
    if (ranks->index == 0) {
        hear_report(ranks, from, (const svs__report *)(const void *)data, bytes);
        return;
    }
    report = new_report(ranks);
    if (report == NULL) return;
    if (!svs__control_send(ranks, 0, SVS__PACKET_REPORT, report, length_of(report->count), NULL))
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory to report a deadlock");
    free_report(ranks, report);
}
