/* Messages in an optional buffer of the caller. */
#ifndef SVS_STEALTREE_MESSAGE_H
#define SVS_STEALTREE_MESSAGE_H

#include "base/log.h"
#include <stddef.h>

typedef struct svs__message {
    char *text;
    size_t size; /* bytes, with the terminating zero; 0: the caller wants no message */
} svs__message;

/* Replaces the text, truncated to the buffer. @return `status`. */
svs_status svs__message_set(const svs__message *message, svs_status status, const char *format, ...)
    SVS__PRINTF_LIKE(3, 4);

/* Sets the text "`path` `what`: reason", where the reason is the system's text for the error
 * number. @return SVS_E_FILE. */
svs_status svs__message_system(const svs__message *message, int error, const char *path,
                               const char *what);

/* Sets the text of the status. @return `status`. */
svs_status svs__message_status(const svs__message *message, svs_status status);

#endif
