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

void svs__refuse_because(const svs__log *log, const char *format, ...) {
    static const svs__log standard = {svs__log_stderr, NULL};
    char line[SVS__LOG_LINE];
    va_list values;
    va_start(values, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): as above */
    (void)vsnprintf(line, sizeof line, format, values);
    va_end(values);
    svs__log_write(log == NULL ? &standard : log, SVS_LOG_ERROR, "%s", line);
}

void svs__log_stderr(int level, const char *text, void *argument) {
    (void)argument;
    if (level < SVS_LOG_WARNING) return;
    fprintf(stderr, "svs: %s: %s\n", level == SVS_LOG_WARNING ? "warning" : "error", text);
}
