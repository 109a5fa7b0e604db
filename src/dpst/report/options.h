/* SVS_CHECK_OPTIONS: how a program is checked, without a change to the program
 * (docs/race-check.md).
 *
 *     SVS_CHECK_OPTIONS="json=races.json:suppressions=known.txt" ./test
 *
 * Pairs of key=value, separated by ':' or blanks. Threads: parsed once, before main(). */
#ifndef SVS_DPST_REPORT_OPTIONS_H
#define SVS_DPST_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <svs/check.h>

#define SVS__CHECK_PATH 512

typedef struct svs__check_settings {
    bool start;                         /* each runtime that starts is checked */
    bool report;                        /* races are written to stderr at the end */
    bool immediate;                     /* also prints one line for each race when it is found */
    bool symbols;                       /* names and lines in place of addresses */
    uint32_t exit;                      /* exit status of the process when there was a race */
    uint32_t reports;                   /* maximal number of races that are shown in full */
    uint32_t frames;                    /* number of frames of a call stack that are shown */
    char json[SVS__CHECK_PATH];         /* the file that gets the reports as JSON; empty: none */
    char suppressions[SVS__CHECK_PATH]; /* the file with the suppressions; empty: none */
    svs_check_options core;
} svs__check_settings;

/* Reads `text`; NULL counts as empty. @return false when a part of it is not understood; `error`
 * then says which. */
bool svs__check_settings_read(svs__check_settings *settings, const char *text, char *error,
                              size_t room);

/* ---- suppressions: known races that are not reported ----
 *
 *     # why it is known
 *     function:update_counter*      a function on either call stack
 *     file:vendor_*.c               a source file of one (its module, without debug information)
 *     object:global_statistics      the variable that is raced on
 *
 * `*` matches any text. A pattern matches a whole name; for a file, the part after any '/' is
 * enough. The file is read once; one thread at a time asks. */

/* Reads the file. @return whether it was understood as a whole; if not, `error` says what was
 * not. */
bool svs__suppress_read(const char *path, char *error, size_t room);

/* Does a line of the file match? NULL never matches. */
bool svs__suppress_function(const char *name);
bool svs__suppress_file(const char *path);
bool svs__suppress_object(const char *name);

#endif
