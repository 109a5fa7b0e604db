/* A target for libFuzzer: any bytes at all are refused, or are a trace that everything works on and
 * that is written again as the very bytes that it was read from.
 *
 *     ninja fuzz_trace && bin/fuzz_trace -max_total_time=60 /tmp/found tests/fuzz/corpus/trace
 *
 * Each input is tried as it is, which seldom gets past the checksum, and once more with a length
 * and a checksum that are right. */
#include "base/check.h"
#include "stealtree/file.h"
#include "stealtree/verify.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Its tree's links hold together, whatever it says. */
static void check_tree(const svs__steal_tree *tree) {
    for (uint32_t w = 0; w < tree->workers; w++) {
        const svs__tree_worker *of = &tree->worker[w];
        uint64_t steals = 0;
        for (uint32_t p = 0; p < of->phase_count; p++) {
            const svs__tree_phase *phase = &of->phases[p];
            SVS__CHECK(phase->enclosing == SVS__TREE_NONE || phase->enclosing < p);
            SVS__CHECK(svs__tree_own_ns(tree, w, p) <= phase->end_ns - phase->begin_ns);
            SVS__CHECK(svs__tree_own_asyncs(tree, w, p) <= phase->end - phase->start.ordinal);
            for (uint32_t s = 0; s < phase->steal_count; s++) {
                const svs__tree_steal *steal = &of->steals[phase->steal_first + s];
                SVS__CHECK(svs__tree_phase_of(tree, w, steal->ordinal) == p);
                SVS__CHECK(svs__tree_parent(tree, svs__tree_stolen(tree, steal)) == phase);
            }
            steals += phase->steal_count;
        }
        SVS__CHECK(steals == of->steal_count);
    }
}

/* What was accepted of graphs: numbers of tasks and places exist, and groups do not overlap. */
static void check_graphs(const svs_trace *trace, const svs_trace_statistics *statistics) {
    uint64_t instances = 0, conflicts = 0;
    for (uint32_t w = 0; w < trace->workers; w++) {
        svs__seen seen = svs__seen_of(trace, w);
        svs__seen_event event;
        uint64_t end = 0;
        while (svs__seen_next(&seen, &event)) {
            SVS__CHECK(event.ns >= end && event.ns <= trace->duration_ns);
            if (event.tag == SVS__SEEN_DEFERRED) {
                SVS__CHECK(event.of.deferral.task < trace->names.tasks);
                SVS__CHECK(event.of.deferral.other_task < trace->names.tasks);
                SVS__CHECK(event.of.deferral.place <= trace->names.places);
                conflicts++;
            }
            if (event.tag == SVS__SEEN_STAGED) SVS__CHECK(event.of.stage.task < trace->names.tasks);
            if (event.tag == SVS__SEEN_RAN) {
                const svs__seen_group *g = &event.of.group;
                SVS__CHECK(g->task < trace->names.tasks && g->count <= SVS__SEEN_GROUP_MAX);
                SVS__CHECK(g->begin_ns >= end && g->begin_ns <= g->end_ns);
                instances += g->count;
            }
            end = event.ns;
        }
        SVS__CHECK(seen.wrong == NULL);
    }
    SVS__CHECK(instances == statistics->instances && conflicts == statistics->explained);
}

static void check_trace(const svs_trace *trace, const unsigned char *bytes, size_t size) {
    char message[SVS_TRACE_MESSAGE];
    svs_trace_statistics statistics;
    unsigned char *again;
    size_t again_size;
    svs__steal_tree *tree;
    SVS__CHECK(svs_trace_statistics_get(trace, &statistics) == SVS_OK);
    check_graphs(trace, &statistics);
    SVS__CHECK(svs__trace_pack(trace, &again, &again_size) == SVS_OK);
    SVS__CHECK(again_size == size && memcmp(again, bytes, size) == 0);
    svs__release(&trace->allocator, again, again_size, 1);
    SVS__CHECK(svs__tree_new(trace, &tree, message, sizeof message) == SVS_OK);
    check_tree(tree);
    if (svs__tree_verify(tree, message, sizeof message) == SVS_OK)
        SVS__CHECK(svs__tree_equal(tree, tree));
    svs__tree_free(tree);
}

static void try(const unsigned char *bytes, size_t size) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace;
    svs_status status =
        svs__trace_unpack(&svs__allocator_libc, bytes, size, &trace, message, sizeof message);
    if (status == SVS_OK) check_trace(trace, bytes, size);
    else
        SVS__CHECK((status == SVS_E_TRACE || status == SVS_E_VERSION) && trace == NULL &&
                   message[0] != '\0');
    svs_trace_free(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned char *sealed;
    try(data, size);
    if (size < SVS__FILE_HEAD + SVS__FILE_SUM) return 0;
    sealed = svs__allocate(&svs__allocator_libc, size, 1);
    memcpy(sealed, data, size);
    for (unsigned i = 0; i < 8; i++)
        sealed[SVS__FILE_AT_LENGTH + i] = (unsigned char)((uint64_t)size >> 8 * i);
    {
        uint64_t sum = svs__file_sum(sealed, size - SVS__FILE_SUM);
        for (unsigned i = 0; i < 8; i++)
            sealed[size - SVS__FILE_SUM + i] = (unsigned char)(sum >> 8 * i);
    }
    try(sealed, size);
    svs__release(&svs__allocator_libc, sealed, size, 1);
    return 0;
}
