/* Messages into a buffer of the caller's, which may be missing. */
#ifndef SVS_STEALTREE_MESSAGE_H
#define SVS_STEALTREE_MESSAGE_H

#include "base/log.h"
#include <stddef.h>

typedef struct svs__message {
    char *text;
    size_t size; /* bytes, the end included; 0: nobody wants to know */
} svs__message;

/* Replaces the text, cut to what fits. @return `status`. */
svs_status svs__message_set(const svs__message *message, svs_status status, const char *format, ...)
    SVS__PRINTF_LIKE(3, 4);

/* "`path` `what`: why", by the system's error number. @return SVS_E_FILE. */
svs_status svs__message_system(const svs__message *message, int error, const char *path,
                               const char *what);

/* The status' own sentence. */
svs_status svs__message_status(const svs__message *message, svs_status status);

#endif
