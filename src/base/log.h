/* Lines for the program's log function (svs_runtime_options: log), if there is one.
 *
 *     svs__log_write(log, SVS_LOG_ERROR, "threads is %u: at most %u", threads, SVS_THREADS_MAX);
 *
 * Threads: any; the log function must be thread-safe. */
#ifndef SVS_BASE_LOG_H
#define SVS_BASE_LOG_H

#include "base/check.h"
#include <svs/runtime.h>

typedef struct svs__log {
    svs_log_function *write; /* NULL: nothing is written */
    void *argument;
} svs__log;

/* Longer lines are truncated to this many bytes, with the terminating zero. */
#define SVS__LOG_LINE 512

#if defined(__GNUC__)
#define SVS__PRINTF_LIKE(text, values) __attribute__((format(printf, text, values)))
#else
#define SVS__PRINTF_LIKE(text, values)
#endif

/* Writes one line, or nothing if `log` is NULL. @param level SVS_LOG_INFO, SVS_LOG_WARNING or
 * SVS_LOG_ERROR. */
void svs__log_write(const svs__log *log, int level, const char *format, ...) SVS__PRINTF_LIKE(3, 4);

/* Refuses a call: writes an error that says why, and what to do. If `log` is NULL, as after a
 * missing handle, it writes to stderr. A macro, so that the caller's `status` stays visible to its
 * reader and to the compiler. @return `status`. */
#define svs__refuse(log, status, ...) (svs__refuse_because((log), __VA_ARGS__), (status))
SVS_API SVS__COLD void svs__refuse_because(const svs__log *log, const char *format, ...)
    SVS__PRINTF_LIKE(2, 3);

/* The default log function: writes warnings and errors to stderr. */
void svs__log_stderr(int level, const char *text, void *argument);

#endif
