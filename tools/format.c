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

/* Prints three significant digits; the ratio of consecutive units is `base`. */
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

void tool_json_us(FILE *output, uint64_t ns) {
    fprintf(output, "%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
}
