#include "stealtree/message.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

svs_status svs__message_set(const svs__message *message, svs_status status, const char *format,
                            ...) {
    va_list values;
    if (message->size == 0 || message->text == NULL) return status;
    va_start(values, format);
    /* va_start() is one line above: clang-tidy 14 loses sight of it. */
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(message->text, message->size, format, values);
    va_end(values);
    return status;
}

svs_status svs__message_system(const svs__message *message, int error, const char *path,
                               const char *what) {
    char why[128];
    /* This is GNU's strerror_r(): it returns a text, which is in `why` or elsewhere. */
    return svs__message_set(message, SVS_E_FILE, "%s %s: %s", path, what,
                            strerror_r(error, why, sizeof why));
}

svs_status svs__message_status(const svs__message *message, svs_status status) {
    return svs__message_set(message, status, "%s", svs_status_text(status));
}
