#include "base/log.h"
#include <stdarg.h>
#include <stdio.h>

void svs__log_write(const svs__log *log, int level, const char *format, ...) {
    char line[SVS__LOG_LINE];
    va_list values;
    if (log == NULL || log->write == NULL) return;
    va_start(values, format);
    /* va_start() is one line above: clang-tidy 14 loses sight of it. */
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(line, sizeof line, format, values);
    va_end(values);
    log->write(level, line, log->argument);
}

void svs__log_stderr(int level, const char *text, void *argument) {
    (void)argument;
    if (level < SVS_LOG_WARNING) return;
    fprintf(stderr, "svs: %s: %s\n", level == SVS_LOG_WARNING ? "warning" : "error", text);
}
