#include "ranks/options.h"
#include "base/sized.h"
#include <string.h>
#include <svs/version.h>

static const svs_ranks_options defaults = {.size = sizeof defaults,
                                           .aggregate_bytes = 16384,
                                           .credits = 8,
                                           .flush_fibers = 256,
                                           .flush_ns = 100000,
                                           .spin_ns = 20000,
                                           .threads = 4096,
                                           .thread_stack_bytes = 262144,
                                           .overflow_bytes_max = (size_t)1 << 26,
                                           .direct_ranks = 64,
                                           .deadlock_file = "svs-deadlock.dot",
                                           .log = svs__log_stderr};

void svs_ranks_options_init_sized(svs_ranks_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
}

static const char *fault_of(const svs_ranks_options *options) {
    if (options->aggregate_bytes > 1u << 24) return "aggregate_bytes is more than 2^24: lower it";
    if (options->credits == 0 || options->credits > 4096)
        return "credits is not 1 to 4096: choose a number in this range";
    if (options->thread_stack_bytes < 65536)
        return "thread_stack_bytes is less than 65536: raise it";
    if (options->threads == 0) return "threads is 0: allow at least 1";
    if ((options->allocator.allocate == NULL) != (options->allocator.release == NULL))
        return "the allocator has one callback only: give it both, or none";
    return options->transport->count > SVS_RANKS_MAX
               ? "there are more than 65535 ranks: start fewer"
               : NULL;
}

svs_status svs__ranks_options_take(const svs_ranks_options *given, svs_ranks_options *options) {
    svs__log log = {svs__log_stderr, NULL};
    const char *fault;
    *options = defaults;
    if (given == NULL || svs__options_take(options, sizeof *options, given) != SVS_OK)
        return svs__refuse(&log, given == NULL ? SVS_E_NULL : SVS_E_VERSION,
                           "svs_ranks_new: options are NULL or of another version: fill them by "
                           "svs_ranks_options_init()");
    log.write = options->log;
    log.argument = options->log_argument;
    if (options->transport == NULL)
        return svs__refuse(&log, SVS_E_NULL,
                           "svs_ranks_new: options.transport is NULL: pass the one "
                           "that svs_ranks_main() gives to the program");
    fault = fault_of(options);
    if (fault != NULL) return svs__refuse(&log, SVS_E_INVALID, "svs_ranks_new: %s", fault);
    if (!options->transport->type->open(options->transport->endpoint)) /* ranks.R2 */
        return svs__refuse(&log, SVS_E_BUSY,
                           "svs_ranks_new: a rank uses the transport, or has used it: each rank "
                           "needs a transport of its own");
    if (options->allocator.allocate == NULL) options->allocator = svs__allocator_libc;
    return SVS_OK;
}

svs__hello svs__hello_of(const svs_ranks *ranks) {
    svs__hello own = {0x01020304,
                      SVS_VERSION_MAJOR << 16 | SVS_VERSION_MINOR << 8 | SVS_VERSION_PATCH,
                      ranks->count,
                      ranks->options.credits,
                      ranks->options.flush_fibers,
                      ranks->options.direct_ranks,
                      ranks->options.flush_ns,
                      ranks->options.aggregate_bytes,
                      ranks->options.overflow_bytes_max};
    return own;
}

const char *svs__hello_compare(svs_ranks *ranks, const void *other, uint32_t bytes) {
    static const struct {
        const char *name;
        size_t at, bytes;
    } rows[] = {
#define ROW(name, member) {name, offsetof(svs__hello, member), sizeof((svs__hello *)0)->member}
        ROW("byte order", order),
        ROW("version", version),
        ROW("number of ranks", count),
        ROW("number of credits", credits),
        ROW("flush_fibers", flush_fibers),
        ROW("direct_ranks", direct_ranks),
        ROW("flush_ns", flush_ns),
        ROW("aggregate_bytes", aggregate_bytes),
        ROW("overflow_bytes_max", overflow_bytes_max)
#undef ROW
    };
    svs__hello own = svs__hello_of(ranks);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && bytes == sizeof own; i++) {
        const char *its = (const char *)other + rows[i].at, *mine = (const char *)&own + rows[i].at;
        if (memcmp(its, mine, rows[i].bytes) == 0) continue;
        (void)snprintf(
            ranks->text, sizeof ranks->text,
            "its %s is not that of rank %u: start the same program, with the same options, "
            "on all ranks",
            rows[i].name, ranks->index);
        return ranks->text;
    }
    return bytes == sizeof own
               ? NULL
               : "it has another version of the library: link all ranks with the same one";
}
