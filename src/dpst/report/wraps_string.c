/* Wrappers of string functions. Each reports the bytes that the function reads and writes
 * (self.h). */
#include "dpst/report/self.h"
#include <string.h>

size_t svs__real_strlen(const char *text) __asm__("__real_strlen");
size_t svs__real_strnlen(const char *text, size_t most) __asm__("__real_strnlen");

/* Size in bytes of a string with its terminator, or as much of it as `most` allows. */
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

/* Copies `size` bytes of `from` to `to`; `read` bytes of `from` are read, possibly fewer than
 * `size`. */
#define COPIES(name, parameters, arguments, read, size)                                            \
    WRAP(char *, name, parameters) {                                                               \
        size_t bytes = (read);                                                                     \
        READS(from, bytes);                                                                        \
        WRITES(to, (size));                                                                        \
        return svs__real_##name arguments;                                                         \
    }
COPIES(strcpy, (char *to, const char *from), (to, from), size_of(from), bytes)
COPIES(stpcpy, (char *to, const char *from), (to, from), size_of(from), bytes)
COPIES(__strcpy_chk, (char *to, const char *from, size_t room), (to, from, room), size_of(from),
       bytes)
COPIES(strncpy, (char *to, const char *from, size_t most), (to, from, most),
       size_within(from, most), most)
COPIES(__strncpy_chk, (char *to, const char *from, size_t most, size_t room),
       (to, from, most, room), size_within(from, most), most)

/* Appends `size` bytes after the text in `to`. */
#define APPENDS(name, parameters, arguments, read, size)                                           \
    WRAP(char *, name, parameters) {                                                               \
        size_t before = size_of(to);                                                               \
        READS(from, (read));                                                                       \
        READS(to, before);                                                                         \
        WRITES(to + before - 1, (size));                                                           \
        return svs__real_##name arguments;                                                         \
    }
APPENDS(strcat, (char *to, const char *from), (to, from), size_of(from), size_of(from))
APPENDS(__strcat_chk, (char *to, const char *from, size_t room), (to, from, room), size_of(from),
        size_of(from))
APPENDS(strncat, (char *to, const char *from, size_t most), (to, from, most),
        size_within(from, most), svs__real_strnlen(from, most) + 1)

/* The number of bytes that a comparison reads at least: it may stop at the first difference. */
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
