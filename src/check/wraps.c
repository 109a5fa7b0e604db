/* The C library's functions on memory and strings as the program's own code calls them. They are
 * compiled without instrumentation, so each says here what it reads and writes, then is called.
 *
 * The linker's --wrap sends calls of `name` to __wrap_name, and __real_name to `name`; the list of
 * names that are wrapped is in wraps.cmake. */
#include "check/self.h"
#include "check/start.h"
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define WRAP(result, name, parameters)                                                             \
    result svs__real_##name parameters __asm__("__real_" #name);                                   \
    result svs__wrap_##name parameters __asm__("__wrap_" #name);                                   \
    result svs__wrap_##name parameters

static inline void tell(const void *memory, size_t bytes, bool write, const void *pc) {
    if (bytes != 0 && svs__check_quiet == 0) svs__check_access(memory, bytes, write, pc);
}

#define READS(memory, bytes) tell((memory), (bytes), false, SVS__CALLER())
#define WRITES(memory, bytes) tell((memory), (bytes), true, SVS__CALLER())

size_t svs__real_strlen(const char *text) __asm__("__real_strlen");
size_t svs__real_strnlen(const char *text, size_t most) __asm__("__real_strnlen");

/* Bytes of a string with its end, or of as much of it as `most` allows. */
static size_t size_of(const char *text) { return svs__real_strlen(text) + 1; }
static size_t size_within(const char *text, size_t most) {
    size_t length = svs__real_strnlen(text, most);
    return length < most ? length + 1 : most;
}

/* ---- memory ---- */

WRAP(void *, memcpy, (void *to, const void *from, size_t bytes)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_memcpy(to, from, bytes);
}

WRAP(void *, memmove, (void *to, const void *from, size_t bytes)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_memmove(to, from, bytes);
}

WRAP(void *, mempcpy, (void *to, const void *from, size_t bytes)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_mempcpy(to, from, bytes);
}

WRAP(void *, memset, (void *to, int value, size_t bytes)) {
    WRITES(to, bytes);
    return svs__real_memset(to, value, bytes);
}

WRAP(void, bzero, (void *to, size_t bytes)) {
    WRITES(to, bytes);
    svs__real_bzero(to, bytes);
}

WRAP(int, memcmp, (const void *a, const void *b, size_t bytes)) {
    READS(a, bytes);
    READS(b, bytes);
    return svs__real_memcmp(a, b, bytes);
}

WRAP(int, bcmp, (const void *a, const void *b, size_t bytes)) {
    READS(a, bytes);
    READS(b, bytes);
    return svs__real_bcmp(a, b, bytes);
}

WRAP(void *, memchr, (const void *in, int value, size_t bytes)) {
    const char *found = svs__real_memchr(in, value, bytes);
    READS(in, found != NULL ? (size_t)(found - (const char *)in) + 1 : bytes);
    return (void *)found;
}

/* Of the headers' checks with _FORTIFY_SOURCE. */
WRAP(void *, __memcpy_chk, (void *to, const void *from, size_t bytes, size_t room)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real___memcpy_chk(to, from, bytes, room);
}

WRAP(void *, __memmove_chk, (void *to, const void *from, size_t bytes, size_t room)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real___memmove_chk(to, from, bytes, room);
}

WRAP(void *, __memset_chk, (void *to, int value, size_t bytes, size_t room)) {
    WRITES(to, bytes);
    return svs__real___memset_chk(to, value, bytes, room);
}

/* ---- strings ---- */

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

/* ---- others that take whole arrays ---- */

WRAP(void, qsort,
     (void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *))) {
    WRITES(base, count * bytes);
    svs__real_qsort(base, count, bytes, compare);
}

WRAP(size_t, fread, (void *to, size_t bytes, size_t count, FILE *file)) {
    size_t items = svs__real_fread(to, bytes, count, file);
    WRITES(to, items * bytes);
    return items;
}

WRAP(size_t, fwrite, (const void *from, size_t bytes, size_t count, FILE *file)) {
    READS(from, count * bytes);
    return svs__real_fwrite(from, bytes, count, file);
}

WRAP(ssize_t, read, (int file, void *to, size_t bytes)) {
    ssize_t count = svs__real_read(file, to, bytes);
    if (count > 0) WRITES(to, (size_t)count);
    return count;
}

WRAP(ssize_t, write, (int file, const void *from, size_t bytes)) {
    READS(from, bytes);
    return svs__real_write(file, from, bytes);
}

int svs__real_vsnprintf(char *to, size_t room, const char *format,
                        va_list values) __asm__("__real_vsnprintf");

static void tell_printed(const char *to, size_t room, int length, const void *pc) {
    if (length < 0 || room == 0) return;
    tell(to, (size_t)length < room ? (size_t)length + 1 : room, true, pc);
}

WRAP(int, vsnprintf, (char *to, size_t room, const char *format, va_list values)) {
    int length = svs__real_vsnprintf(to, room, format, values);
    tell_printed(to, room, length, SVS__CALLER());
    return length;
}

int svs__wrap_snprintf(char *to, size_t room, const char *format, ...) __asm__("__wrap_snprintf");
int svs__wrap_snprintf(char *to, size_t room, const char *format, ...) {
    va_list values;
    int length;
    va_start(values, format);
    length = svs__real_vsnprintf(to, room, format, values);
    va_end(values);
    tell_printed(to, room, length, SVS__CALLER());
    return length;
}

/* ---- what orders steps besides asyncs and finishes ---- */

#define LOCKS(name, parameters)                                                                    \
    WRAP(int, name, parameters) {                                                                  \
        if (svs__check_self.step != 0) svs__check_saw_lock();                                      \
        return svs__real_##name(lock);                                                             \
    }
LOCKS(pthread_mutex_lock, (pthread_mutex_t * lock))
LOCKS(pthread_mutex_trylock, (pthread_mutex_t * lock))
LOCKS(pthread_rwlock_rdlock, (pthread_rwlock_t * lock))
LOCKS(pthread_rwlock_wrlock, (pthread_rwlock_t * lock))
LOCKS(pthread_spin_lock, (pthread_spinlock_t * lock))
LOCKS(sem_wait, (sem_t * lock))

/* ---- runtimes that end, and with them their check ---- */

WRAP(svs_status, svs_check_stop, (svs_runtime * runtime, svs_check_summary *summary)) {
    svs_check_summary counted;
    svs_status status = svs__real_svs_check_stop(runtime, &counted);
    if (status != SVS_OK) return status;
    svs__check_stopped(runtime, &counted);
    if (summary != NULL) *summary = counted;
    return status;
}

static void stop_check(svs_runtime *runtime) {
    svs__check_quiet++;
    if (runtime != NULL) (void)svs__wrap_svs_check_stop(runtime, NULL); /* if it is on, and can */
    svs__check_quiet--;
}

WRAP(svs_status, svs_runtime_stop, (svs_runtime * runtime)) {
    stop_check(runtime);
    return svs__real_svs_runtime_stop(runtime);
}

WRAP(svs_status, svs_runtime_free, (svs_runtime * runtime)) {
    stop_check(runtime);
    return svs__real_svs_runtime_free(runtime);
}

/* ---- ends that no handler sees: what was found must be said before ---- */

_Noreturn void svs__real_abort(void) __asm__("__real_abort");
_Noreturn void svs__wrap_abort(void) __asm__("__wrap_abort");
_Noreturn void svs__wrap_abort(void) {
    (void)svs__check_report();
    svs__real_abort();
}

_Noreturn void svs__real___assert_fail(const char *text, const char *file, unsigned line,
                                       const char *function) __asm__("__real___assert_fail");
_Noreturn void svs__wrap___assert_fail(const char *text, const char *file, unsigned line,
                                       const char *function) __asm__("__wrap___assert_fail");
_Noreturn void svs__wrap___assert_fail(const char *text, const char *file, unsigned line,
                                       const char *function) {
    (void)svs__check_report();
    svs__real___assert_fail(text, file, line, function);
}

/* Handlers do not run, but races do change the status. */
_Noreturn void svs__real__exit(int status) __asm__("__real__exit");
_Noreturn void svs__wrap__exit(int status) __asm__("__wrap__exit");
_Noreturn void svs__wrap__exit(int status) {
    int races = svs__check_report();
    svs__real__exit(races != 0 ? races : status);
}
