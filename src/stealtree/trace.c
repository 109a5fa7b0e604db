#include "base/sized.h"
#include "stealtree/file.h"
#include "stealtree/seen_record.h"
#include "worksteal/runtime.h"
#include <string.h>

#define DEFAULT_BYTES ((size_t)64 << 20)

static const svs_trace_options defaults = {.size = sizeof defaults, .max_bytes = DEFAULT_BYTES};

void svs_trace_options_init_sized(svs_trace_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
    else
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_trace_options_init: no options: pass the address of a struct");
}

/* Writes why `call` cannot attach or detach the recorder now. @return `status`. */
static svs_status refuse(const svs_runtime *runtime, const char *call, svs_status status) {
    return svs__refuse(svs__runtime_log(runtime), status, "%s: %s", call,
                       status == SVS_E_BUSY ? "something runs: trace from before a run to after it"
                                            : svs_status_text(status));
}

static svs_status refuse_untraced(const svs_runtime *runtime, const char *call) {
    if (runtime == NULL) return svs__refuse(NULL, SVS_E_NULL, "%s: no runtime: pass one", call);
    return svs__refuse(svs__runtime_log(runtime), SVS_E_STATE,
                       "%s: the runtime is not traced: call svs_trace_start() first", call);
}

/* Writes the trace so far to a file, for the watchdog. */
static svs_status write_snapshot(svs_runtime *runtime, const char *path, char *message,
                                 size_t size) {
    svs_trace *trace = NULL;
    svs_status status = svs_trace_snapshot(runtime, &trace);
    if (status) return status;
    status = svs_trace_write(trace, path, message, size);
    svs_trace_free(trace);
    return status;
}

svs_status svs_trace_start(svs_runtime *runtime, const svs_trace_options *options) {
    svs_trace_options chosen = defaults;
    svs__recorder *recorder;
    svs_status status;
    if (runtime == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_trace_start: no runtime: pass one");
    if (options != NULL && svs__options_take(&chosen, sizeof chosen, options))
        return svs__refuse(svs__runtime_log(runtime), SVS_E_VERSION,
                           "svs_trace_start: options of another version: fill them with "
                           "svs_trace_options_init()");
    if (runtime->observer != NULL || (runtime->guide != NULL && runtime->guide->paths))
        return svs__refuse(svs__runtime_log(runtime), SVS_E_BUSY,
                           "svs_trace_start: the runtime is traced or replayed, or retains steals: "
                           "end that first");
    recorder = svs__recorder_new(svs__runtime_allocator(runtime), runtime->options.policy,
                                 runtime->options.threads, chosen.max_bytes);
    if (recorder == NULL) return SVS_E_NO_MEMORY;
    recorder->observer.graphs = &svs__recorder_graphs;
    status = svs__runtime_observe(runtime, &recorder->observer);
    if (status) {
        svs_trace_free(svs__recorder_finish(recorder));
        return refuse(runtime, "svs_trace_start", status);
    }
    /* Nothing ran at svs__runtime_observe(), and the caller begins no run until this returns. */
    for (uint32_t w = 0; w < runtime->options.threads; w++)
        svs__recorder_base(recorder, w, runtime->workers[w].deque.async.ordinal,
                           runtime->workers[w].phases);
    runtime->write_trace = write_snapshot;
    svs__runtime_hold(runtime);
    return SVS_OK;
}

/* The recorder of `runtime`, or NULL. */
static svs__recorder *recorder_of(const svs_runtime *runtime) {
    return runtime == NULL ? NULL : svs__recorder_of(runtime->observer);
}

svs_status svs_trace_snapshot(svs_runtime *runtime, svs_trace **trace) {
    svs__recorder *recorder = recorder_of(runtime);
    if (runtime != NULL && trace == NULL)
        return svs__refuse(svs__runtime_log(runtime), SVS_E_NULL,
                           "svs_trace_snapshot: no place for the trace: pass a pointer's address");
    if (recorder == NULL) return refuse_untraced(runtime, "svs_trace_snapshot");
    *trace = svs__recorder_copy(recorder);
    return *trace == NULL ? SVS_E_NO_MEMORY : SVS_OK;
}

svs_status svs_trace_stop(svs_runtime *runtime, svs_trace **trace) {
    svs__recorder *recorder = recorder_of(runtime);
    svs_trace *made;
    svs_status status;
    if (trace != NULL) *trace = NULL;
    if (recorder == NULL) return refuse_untraced(runtime, "svs_trace_stop");
    status = svs__runtime_observe(runtime, NULL);
    if (status) return refuse(runtime, "svs_trace_stop", status);
    made = svs__recorder_finish(recorder);
    svs__runtime_unhold(runtime);
    if (trace != NULL) *trace = made;
    else svs_trace_free(made);
    return SVS_OK;
}

svs_status svs_trace_measure_set(svs_trace *trace, const svs_measure *measure) {
    static const svs_measure none = {0, 0, 0, 0};
    if (measure == NULL || measure->work_ns == 0) measure = &none;
    if (trace == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_trace_measure_set: no trace: pass one");
    if (!svs__measure_is_valid(measure)) return SVS_E_INVALID;
    trace->measure = *measure;
    return SVS_OK;
}
