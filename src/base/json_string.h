/* Strings of JSON, for the reports of svs::check and for the command svs. */
#ifndef SVS_BASE_JSON_STRING_H
#define SVS_BASE_JSON_STRING_H

#include <stdio.h>
#include <svs/status.h>

/* Writes a string with its quotation marks, or null for NULL. The output may stand within a script
 * element, because each '<' is escaped. Bytes that are no UTF-8 become U+FFFD. */
SVS_API void svs__json_string(FILE *output, const char *text);

#endif
