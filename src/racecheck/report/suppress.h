/* Races that are known, and not to be reported: a file of lines
 *
 *     # why it is known
 *     function:update_counter*      a function on either call stack
 *     file:vendor_*.c                 a source file of one (its module, without debug information)
 *     object:global_statistics      the variable that is raced on
 *
 * where `*` stands for any text; a pattern has to match all of a name, a file's its end after a
 * '/' at least. Threads: read once; asked by one at a time. */
#ifndef SVS_RACECHECK_REPORT_SUPPRESS_H
#define SVS_RACECHECK_REPORT_SUPPRESS_H

#include <stdbool.h>
#include <stddef.h>

/* @return whether the whole file was understood; else `error` says what was not. */
bool svs__suppress_read(const char *path, char *error, size_t room);

/* Is there a line for it? NULL never matches. */
bool svs__suppress_function(const char *name);
bool svs__suppress_file(const char *path);
bool svs__suppress_object(const char *name);

#endif
