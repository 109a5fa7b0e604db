#include "base/json_string.h"

#include <stddef.h>

/* @return the number of bytes of the UTF-8 character at `text`; 0 when it is none. */
static size_t utf8_length(const unsigned char *text) {
    size_t length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
    if (*text >= 0xf5) return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    /* An encoding that is longer than necessary, a surrogate, or a number beyond the last
     * character. */
    if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) ||
        (*text == 0xf0 && text[1] < 0x90) || (*text == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

void svs__json_string(FILE *output, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    if (!text) {
        (void)fputs("null", output);
        return;
    }
    (void)fputc('"', output);
    while (*at) {
        size_t length = utf8_length(at);
        if (length == 0) {
            (void)fputs("\\ufffd", output);
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            (void)fprintf(output, "\\%c", *at);
        } else if (*at < 0x20 || *at == '<' || *at == 0x7f) {
            (void)fprintf(output, "\\u%04x", *at);
        } else {
            (void)fwrite(at, 1, length, output);
        }
        at += length;
    }
    (void)fputc('"', output);
}
