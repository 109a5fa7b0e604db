#include "ranks/collective/deadlock.h"
#include "ranks/collective/ending.h"
#include "ranks/object/structure.h"
#include <inttypes.h>
#include <string.h>

/* The most waits that a report lists, over all ranks. */
#define WAITS_MAX 1024u

typedef struct svs__wait {
    uint64_t counter; /* address of the counter; 0: the fiber was created and never enabled */
    int64_t value, at_least;
    uint32_t rank, fiber, threaded, reserved;
} svs__wait;

/* The waits of a rank and of all ranks below it in the tree (topology.h). */
typedef struct svs__deadlock_report {
    uint64_t suspended;
    uint32_t count, reserved;
    svs__wait waits[WAITS_MAX];
} svs__deadlock_report;

static uint32_t length_of(uint32_t count) {
    return (uint32_t)(offsetof(svs__deadlock_report, waits) + count * sizeof(svs__wait));
}

static void collect(svs_ranks *ranks, svs__deadlock_report *report) {
    report->suspended = ranks->fibers.suspended;
    for (uint32_t i = 0; i < svs__fiber_count(ranks) && report->count < WAITS_MAX; i++) {
        const svs__fiber *fiber = svs__fiber_at(ranks, i);
        svs__wait *wait = &report->waits[report->count];
        if (fiber->status != SVS__FIBER_CREATED && fiber->status != SVS__FIBER_WAITS) continue;
        wait->rank = ranks->index;
        wait->fiber = i;
        wait->threaded = fiber->threaded;
        if (fiber->status == SVS__FIBER_WAITS) {
            wait->counter = (uint64_t)(uintptr_t)fiber->counter;
            wait->value = fiber->counter->value;
            wait->at_least = svs__waiter_at(ranks, i)->at_least;
        }
        report->count++;
    }
    SVS__ASSERT(report->suspended >= report->count); /* ranks.Q2 */
}

/* ---- rank 0: the list ---- */

static void describe(char *text, size_t size, const svs__wait *wait) {
    const char *what = wait->threaded != 0 ? "thread" : "fiber";
    if (wait->counter == 0)
        (void)snprintf(text, size, "%s %u of rank %u was created and never enabled", what,
                       wait->fiber, wait->rank);
    else
        (void)snprintf(text, size,
                       "%s %u of rank %u waits for counter 0x%" PRIx64 ", which is %" PRId64
                       ", to be %" PRId64,
                       what, wait->fiber, wait->rank, wait->counter, wait->value, wait->at_least);
}

static void draw(FILE *dot, const svs__wait *wait) {
    fprintf(dot, "  r%uf%u [label=\"rank %u, %s %u%s\"];\n", wait->rank, wait->fiber, wait->rank,
            wait->threaded != 0 ? "thread" : "fiber", wait->fiber,
            wait->counter == 0 ? "\\nnever enabled" : "");
    if (wait->counter == 0) return;
    fprintf(dot,
            "  r%uc%" PRIx64 " [shape=box, label=\"counter 0x%" PRIx64 "\\nis %" PRId64 "\"];\n",
            wait->rank, wait->counter, wait->counter, wait->value);
    fprintf(dot, "  r%uf%u -> r%uc%" PRIx64 " [label=\"at least %" PRId64 "\"];\n", wait->rank,
            wait->fiber, wait->rank, wait->counter, wait->at_least);
}

/* Logs a text, and appends it to the failure's text while there is room. */
static void say(svs_ranks *ranks, const char *text) {
    char *all = ranks->failed.text;
    size_t length = strlen(all);
    svs__log_write(&ranks->log, SVS_LOG_ERROR, "deadlock: %s", text);
    if (length + strlen(text) + 3 < sizeof ranks->failed.text)
        (void)snprintf(all + length, sizeof ranks->failed.text - length, "; %s", text);
}

static FILE *open_file(svs_ranks *ranks) {
    const char *name = ranks->options.deadlock_file;
    FILE *dot = name == NULL ? NULL : fopen(name, "w");
    if (dot == NULL && name != NULL)
        svs__log_write(&ranks->log, SVS_LOG_WARNING, "deadlock_file %s cannot be written", name);
    return dot;
}

static void draw_all(svs_ranks *ranks, const svs__deadlock_report *report) {
    FILE *dot = open_file(ranks);
    if (dot == NULL) return;
    fprintf(dot, "digraph deadlock {\n");
    for (uint32_t i = 0; i < report->count; i++) draw(dot, &report->waits[i]);
    fprintf(dot, "}\n");
    (void)fclose(dot);
}

static void list_all(svs_ranks *ranks, const svs__deadlock_report *report) {
    char text[160];
    svs__verdict_set(&ranks->failed, SVS__VERDICT_FAILED, 0, SVS_E_DEADLOCK,
                     "all ranks are idle, and fibers wait for what nothing will do");
    for (uint32_t i = 0; i < report->count; i++) {
        describe(text, sizeof text, &report->waits[i]);
        say(ranks, text);
    }
    if (report->suspended == report->count) return;
    (void)snprintf(text, sizeof text, "%" PRIu64 " more waits are not listed",
                   report->suspended - report->count);
    say(ranks, text);
}

/* ---- all ranks: down the tree, and up again ---- */

void svs__deadlock_clean_up(svs_ranks *ranks) {
    svs__release(&ranks->options.allocator, ranks->waves.report, sizeof *ranks->waves.report, 16);
    ranks->waves.report = NULL;
}

static void no_memory(svs_ranks *ranks) {
    ranks->waves.reporting = false;
    (void)svs__fail(ranks, SVS_E_NO_MEMORY,
                    "all ranks are idle, fibers wait, and there is no memory to list them");
}

/* If all children have reported: rank 0 ends the run, and another rank sends its report to its
 * parent. */
static void advance(svs_ranks *ranks) {
    const svs__deadlock_report *report = ranks->waves.report;
    if (ranks->waves.reports < ranks->topology.child_count || !svs__goes_on(ranks)) return;
    if (ranks->index == 0) {
        list_all(ranks, report);
        draw_all(ranks, report);
        svs__ending_fail(ranks);
    } else if (!svs__control_send(ranks, ranks->topology.parent, SVS__PACKET_REPORT, report,
                                  length_of(report->count), NULL))
        no_memory(ranks);
    svs__deadlock_clean_up(ranks);
}

void svs__deadlock_begin(svs_ranks *ranks) {
    svs__deadlock_report *report =
        svs__allocate_zeroed(&ranks->options.allocator, sizeof *report, 16);
    if (report == NULL) {
        no_memory(ranks);
        return;
    }
    collect(ranks, report);
    svs__structures_tell(ranks);
    ranks->waves.report = report;
    ranks->waves.reporting = true;
    for (uint32_t i = 0; i < ranks->topology.child_count; i++)
        if (!svs__control_send(ranks, ranks->topology.children[i], SVS__PACKET_REPORT, NULL, 0,
                               NULL)) {
            no_memory(ranks);
            return;
        }
    advance(ranks);
}

static bool is_whole(const svs__deadlock_report *report, uint32_t bytes) {
    return bytes >= length_of(0) && report->count <= WAITS_MAX &&
           bytes == length_of(report->count) && report->suspended >= report->count;
}

static void add(svs__deadlock_report *report, const svs__deadlock_report *more) {
    uint32_t room = WAITS_MAX - report->count;
    uint32_t count = more->count < room ? more->count : room;
    memcpy(&report->waits[report->count], more->waits, count * sizeof *more->waits);
    report->count += count;
    report->suspended += more->suspended;
}

/* A malformed report is counted, so that the run ends, but its waits are not listed. */
static void hear_report(svs_ranks *ranks, uint32_t from, const svs__deadlock_report *report,
                        uint32_t bytes) {
    if (ranks->waves.report == NULL) {
        (void)svs__fail(ranks, SVS_E_RECORD,
                        "a packet from rank %u is malformed at byte 4: a report that was not "
                        "asked for",
                        from);
        return;
    }
    if (is_whole(report, bytes)) add(ranks->waves.report, report);
    ranks->waves.reports++;
    advance(ranks);
}

void svs__deadlock_heard(svs_ranks *ranks, uint32_t from, const unsigned char *data,
                         uint32_t bytes) {
    if (from != ranks->topology.parent)
        hear_report(ranks, from, (const svs__deadlock_report *)(const void *)data, bytes);
    else if (!ranks->waves.reporting) svs__deadlock_begin(ranks);
}
