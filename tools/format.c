#include "format.h"
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

char *tool_count(char text[TOOL_TEXT], uint64_t value) {
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, value), out = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) text[out++] = ',';
        text[out++] = digits[i];
    }
    text[out] = '\0';
    return text;
}

/* Three digits are enough to compare; the step to the next unit is `base`. */
static char *scaled(char text[TOOL_TEXT], double value, double base, const char *const *units) {
    if (value < base * 0.9995) {
        snprintf(text, TOOL_TEXT, "%.0f %s", value, *units);
        return text;
    }
    while (units[1] && value >= base * 0.9995) {
        value /= base;
        units++;
    }
    snprintf(text, TOOL_TEXT,
             value >= 99.95   ? "%.0f %s"
             : value >= 9.995 ? "%.1f %s"
                              : "%.3g %s",
             value, *units);
    return text;
}

char *tool_bytes(char text[TOOL_TEXT], uint64_t value) {
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB", NULL};
    return scaled(text, (double)value, 1024, units);
}

char *tool_time(char text[TOOL_TEXT], uint64_t ns) {
    static const char *const units[] = {"ns", "us", "ms", "s", NULL};
    return scaled(text, (double)ns, 1000, units);
}

double tool_percent(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/* How many bytes the UTF-8 character at `text` has; 0 when it is none. */
static size_t utf8_length(const unsigned char *text) {
    size_t length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
    if (*text >= 0xf5) return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    /* Longer than need be, a surrogate, or beyond the last. */
    if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) ||
        (*text == 0xf0 && text[1] < 0x90) || (*text == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

void tool_json_string(FILE *output, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    fputc('"', output);
    while (*at) {
        size_t length = utf8_length(at);
        if (length == 0) {
            fputs("\\ufffd", output);
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            fprintf(output, "\\%c", *at);
        } else if (*at < 0x20 || *at == '<' || *at == 0x7f) {
            fprintf(output, "\\u%04x", *at);
        } else {
            fwrite(at, 1, length, output);
        }
        at += length;
    }
    fputc('"', output);
}

void tool_json_us(FILE *output, uint64_t ns) {
    fprintf(output, "%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
}
