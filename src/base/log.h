/* Lines for the program's log: the function that the runtime's options name, or none.
 *
 *     svs__log_write(log, SVS_LOG_ERROR, "threads is %u: at most %u", threads, SVS_THREADS_MAX);
 *
 * Threads: any, so the function must be safe for that. */
#ifndef SVS_BASE_LOG_H
#define SVS_BASE_LOG_H

#include "base/check.h"
#include <svs/runtime.h>

typedef struct svs__log {
    svs_log_function *write; /* NULL: silence */
    void *argument;
} svs__log;

/* Longer lines are cut to this many bytes, their end included. */
#define SVS__LOG_LINE 512

#if defined(__GNUC__)
#define SVS__PRINTF_LIKE(text, values) __attribute__((format(printf, text, values)))
#else
#define SVS__PRINTF_LIKE(text, values)
#endif

/* Writes one line; a NULL log is silence too. @param level SVS_LOG_INFO, SVS_LOG_WARNING or
 * SVS_LOG_ERROR. */
void svs__log_write(const svs__log *log, int level, const char *format, ...) SVS__PRINTF_LIKE(3, 4);

/* A call is refused: writes an error that says why, and what to do. NULL log: there is nobody to
 * ask for one, since a handle is missing; then it goes to stderr. @return `status`, which a reader
 * of the call sees, and the compiler, too. */
#define svs__refuse(log, status, ...) (svs__refuse_because((log), __VA_ARGS__), (status))
SVS__COLD void svs__refuse_because(const svs__log *log, const char *format, ...)
    SVS__PRINTF_LIKE(2, 3);

/* The default: warnings and errors to stderr. */
void svs__log_stderr(int level, const char *text, void *argument);

#endif
