/* For main() of small programs and for tests: a failed call ends the program.
 *
 *     #include <svs/must.h>
 *     int main(void) {
 *         svs_world *world;
 *         SVS_MUST(svs_start(0, &world));
 *         SVS_MUST(svs_for_each(world, &transfer_task, items, 10000));
 *         SVS_MUST(svs_stop(world));
 *     }
 *
 * Libraries, and programs with data to save, handle the status instead. In C++, svs::must() throws
 * the status (<svs/svs.hpp>). Do not use SVS_MUST in a body: a body returns its status.
 *
 * Threads: any. */
#ifndef SVS_MUST_H
#define SVS_MUST_H

#include <stdlib.h>
#include <svs/status.h>

SVS_BEGIN_DECLARATIONS

/* SVS_MUST(call): evaluates the call once. Unless the call returns SVS_OK, writes the call's source
 * line, text and status to stderr, then calls exit(EXIT_FAILURE). */
#define SVS_MUST(call) svs__must((call), #call, __FILE__, __LINE__)

/* Writes the line. */
SVS_API void svs__must_say(svs_status status, const char *call, const char *file, int line);

static inline void svs__must(svs_status svs_status_, const char *svs_call_, const char *svs_file_,
                             int svs_line_) {
    if (svs_status_ == SVS_OK) return;
    svs__must_say(svs_status_, svs_call_, svs_file_, svs_line_);
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): a call of the program, which svs::check wraps */
    exit(EXIT_FAILURE);
}

SVS_END_DECLARATIONS
#endif
