#include "ranks/failure.h"
#include "ranks/channel/lane.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void svs__verdict_set(svs__verdict *verdict, svs__verdict_kind kind, uint32_t rank,
                      svs_status status, const char *text) {
    memset(verdict, 0, sizeof *verdict);
    verdict->kind = kind;
    verdict->rank = rank;
    verdict->status = status;
    (void)snprintf(verdict->text, sizeof verdict->text, "rank %u: %s", rank, text);
}

svs_status svs__fail(svs_ranks *ranks, svs_status status, const char *format, ...) {
    char text[SVS__TEXT];
    va_list values;
    va_start(values, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start() is one line above */
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    svs__log_write(&ranks->log, SVS_LOG_ERROR, "rank %u: %s", ranks->index, text);
    svs__lanes_close(ranks);
    if (ranks->failed.status == SVS_OK)
        svs__verdict_set(&ranks->failed, SVS__VERDICT_FAILED, ranks->index, status, text);
    return status;
}
