/* Strings: each function says how far it looked at them (self.h). */
#include "racecheck/report/self.h"
#include <string.h>

size_t svs__real_strlen(const char *text) __asm__("__real_strlen");
size_t svs__real_strnlen(const char *text, size_t most) __asm__("__real_strnlen");

/* Bytes of a string with its end, or of as much of it as `most` allows. */
static size_t size_of(const char *text) { return svs__real_strlen(text) + 1; }
static size_t size_within(const char *text, size_t most) {
    size_t length = svs__real_strnlen(text, most);
    return length < most ? length + 1 : most;
}

WRAP(size_t, strlen, (const char *text)) {
    READS(text, size_of(text));
    return svs__real_strlen(text);
}

WRAP(size_t, strnlen, (const char *text, size_t most)) {
    READS(text, size_within(text, most));
    return svs__real_strnlen(text, most);
}

WRAP(char *, strcpy, (char *to, const char *from)) {
    size_t bytes = size_of(from);
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_strcpy(to, from);
}

WRAP(char *, stpcpy, (char *to, const char *from)) {
    size_t bytes = size_of(from);
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_stpcpy(to, from);
}

WRAP(char *, strncpy, (char *to, const char *from, size_t most)) {
    READS(from, size_within(from, most));
    WRITES(to, most);
    return svs__real_strncpy(to, from, most);
}

WRAP(char *, strcat, (char *to, const char *from)) {
    size_t bytes = size_of(from), before = size_of(to);
    READS(from, bytes);
    READS(to, before);
    WRITES(to + before - 1, bytes);
    return svs__real_strcat(to, from);
}

WRAP(char *, strncat, (char *to, const char *from, size_t most)) {
    size_t before = size_of(to);
    READS(from, size_within(from, most));
    READS(to, before);
    WRITES(to + before - 1, svs__real_strnlen(from, most) + 1);
    return svs__real_strncat(to, from, most);
}

WRAP(char *, __strcpy_chk, (char *to, const char *from, size_t room)) {
    size_t bytes = size_of(from);
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real___strcpy_chk(to, from, room);
}

WRAP(char *, __strncpy_chk, (char *to, const char *from, size_t most, size_t room)) {
    READS(from, size_within(from, most));
    WRITES(to, most);
    return svs__real___strncpy_chk(to, from, most, room);
}

WRAP(char *, __strcat_chk, (char *to, const char *from, size_t room)) {
    size_t bytes = size_of(from), before = size_of(to);
    READS(from, bytes);
    READS(to, before);
    WRITES(to + before - 1, bytes);
    return svs__real___strcat_chk(to, from, room);
}

/* Comparisons may stop at the first difference: what they read at least is told. */
static size_t alike(const char *a, const char *b, size_t most) {
    size_t i = 0;
    while (i < most && a[i] == b[i] && a[i] != '\0') i++;
    return i < most ? i + 1 : most;
}

WRAP(int, strcmp, (const char *a, const char *b)) {
    size_t bytes = alike(a, b, SIZE_MAX);
    READS(a, bytes);
    READS(b, bytes);
    return svs__real_strcmp(a, b);
}

WRAP(int, strncmp, (const char *a, const char *b, size_t most)) {
    size_t bytes = alike(a, b, most);
    READS(a, bytes);
    READS(b, bytes);
    return svs__real_strncmp(a, b, most);
}

WRAP(char *, strchr, (const char *text, int character)) {
    char *found = svs__real_strchr(text, character);
    READS(text, found != NULL ? (size_t)(found - text) + 1 : size_of(text));
    return found;
}

WRAP(char *, strrchr, (const char *text, int character)) {
    READS(text, size_of(text));
    return svs__real_strrchr(text, character);
}

WRAP(char *, strstr, (const char *text, const char *part)) {
    const char *found = svs__real_strstr(text, part);
    READS(part, size_of(part));
    READS(text, found != NULL ? (size_t)(found - text) + svs__real_strlen(part) : size_of(text));
    return (char *)found;
}

WRAP(char *, strdup, (const char *text)) {
    READS(text, size_of(text));
    return svs__real_strdup(text);
}

WRAP(char *, strndup, (const char *text, size_t most)) {
    READS(text, size_within(text, most));
    return svs__real_strndup(text, most);
}
