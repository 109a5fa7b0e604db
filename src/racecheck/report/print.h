/* What printf() and its family read besides their target: the format, and the strings of its
 * arguments, each as far as its precision allows; and what %n writes.
 *
 *     svs__print_tell(format, values, SVS__CALLER());      before the call
 *
 * An argument of a type that the C library does not know by itself ends the list: the strings
 * behind it are not told.
 *
 * Threads: any. */
#ifndef SVS_RACECHECK_REPORT_PRINT_H
#define SVS_RACECHECK_REPORT_PRINT_H

#include <stdarg.h>

/* Leaves `values` where they are. */
void svs__print_tell(const char *format, va_list values, const void *pc);

#endif
