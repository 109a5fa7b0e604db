/* printf() and its family, and what compilers make of it (wraps.h). */
#include "racecheck/report/print.h"
#include "racecheck/report/wraps.h"
#include <stdio.h>

size_t svs__real_strlen(const char *text) __asm__("__real_strlen");

/* Into memory: what fits, with its end. */
static void tell_written(const char *to, size_t room, int length, const void *pc) {
    if (length < 0 || room == 0) return;
    svs__wrap_tell(to, (size_t)length < room ? (size_t)length + 1 : room, true, pc);
}

/* One with the arguments themselves, and one with a list of them. `parameters` and `arguments` are
 * those before the format, with a comma behind each; `written` is told of at the end. */
#define ALL(...) __VA_ARGS__
#define PRINTS(plain, listed, parameters, arguments, written)                                      \
    int svs__real_##listed(ALL parameters const char *format,                                      \
                           va_list values) __asm__("__real_" #listed);                             \
    static int call_##listed(ALL parameters const char *format, va_list values, const void *pc) {  \
        int length;                                                                                \
        svs__print_tell(format, values, pc);                                                       \
        length = svs__real_##listed(ALL arguments format, values);                                 \
        written;                                                                                   \
        return length;                                                                             \
    }                                                                                              \
    int svs__wrap_##listed(ALL parameters const char *format,                                      \
                           va_list values) __asm__("__wrap_" #listed);                             \
    int svs__wrap_##listed(ALL parameters const char *format, va_list values) {                    \
        return call_##listed(ALL arguments format, values, SVS__CALLER());                         \
    }                                                                                              \
    int svs__wrap_##plain(ALL parameters const char *format, ...) __asm__("__wrap_" #plain);       \
    int svs__wrap_##plain(ALL parameters const char *format, ...) {                                \
        const void *pc = SVS__CALLER();                                                            \
        va_list values;                                                                            \
        int length;                                                                                \
        va_start(values, format);                                                                  \
        length = call_##listed(ALL arguments format, values, pc);                                  \
        va_end(values);                                                                            \
        return length;                                                                             \
    }

#define NOTHING ((void)0)
#define UP_TO(room) tell_written(to, (room), length, pc)
#define BLOCK tell_written(length < 0 ? NULL : *to, SIZE_MAX, length, pc)

PRINTS(printf, vprintf, (), (), NOTHING)
PRINTS(fprintf, vfprintf, (FILE * file, ), (file, ), NOTHING)
PRINTS(dprintf, vdprintf, (int file, ), (file, ), NOTHING)
PRINTS(sprintf, vsprintf, (char *to, ), (to, ), UP_TO(SIZE_MAX))
PRINTS(snprintf, vsnprintf, (char *to, size_t room, ), (to, room, ), UP_TO(room))
PRINTS(asprintf, vasprintf, (char **to, ), (to, ), BLOCK)

/* Of the headers' checks with _FORTIFY_SOURCE; `flag` is how strict they are. */
PRINTS(__printf_chk, __vprintf_chk, (int flag, ), (flag, ), NOTHING)
PRINTS(__fprintf_chk, __vfprintf_chk, (FILE * file, int flag, ), (file, flag, ), NOTHING)
PRINTS(__dprintf_chk, __vdprintf_chk, (int file, int flag, ), (file, flag, ), NOTHING)
PRINTS(__sprintf_chk, __vsprintf_chk, (char *to, int flag, size_t size, ), (to, flag, size, ),
       UP_TO(SIZE_MAX))
PRINTS(__snprintf_chk, __vsnprintf_chk, (char *to, size_t room, int flag, size_t size, ),
       (to, room, flag, size, ), UP_TO(room))
PRINTS(__asprintf_chk, __vasprintf_chk, (char **to, int flag, ), (to, flag, ), BLOCK)

/* What clang calls for a printf() of a string alone. */
WRAP(int, puts, (const char *text)) {
    READS(text, svs__real_strlen(text) + 1);
    return svs__real_puts(text);
}

WRAP(int, fputs, (const char *text, FILE *file)) {
    READS(text, svs__real_strlen(text) + 1);
    return svs__real_fputs(text, file);
}
