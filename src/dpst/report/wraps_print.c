/* printf() and its family, with the variants that compilers substitute (self.h). A call writes its
 * target, and reads the format and its string arguments, each as far as its precision allows. %n
 * writes.
 *
 * An argument of a type unknown to the C library ends the list: strings after it are not
 * reported. */
#include "dpst/report/self.h"
#include <limits.h>
#include <printf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

size_t svs__real_strnlen(const char *text, size_t most) __asm__("__real_strnlen");

/* ---- the arguments, in their order, whichever directives they belong to ---- */

#define ARGUMENTS_MAX 64

typedef union value {
    intmax_t number;
    const void *pointer;
} value;

/* Skips a number with a fraction in the list of arguments. */
static void pass_over(va_list *values, bool is_long) {
    if (is_long) {
        (void)va_arg(*values, long double);
        return;
    }
    (void)va_arg(*values, double);
}

/* Takes one argument from the list. @return false: it has an unknown type, and so an unknown
 * size. */
static bool take(int type, va_list *values, value *v) {
    bool is_long = (type & (PA_FLAG_LONG | PA_FLAG_LONG_LONG)) != 0;
    if ((type & PA_FLAG_PTR) != 0) {
        v->pointer = va_arg(*values, const void *);
        return true;
    }
    switch (type & ~PA_FLAG_MASK) {
    case PA_INT:
    case PA_CHAR: v->number = is_long ? va_arg(*values, long long) : va_arg(*values, int); break;
    case PA_WCHAR: v->number = (intmax_t)va_arg(*values, wint_t); break;
    case PA_STRING:
    case PA_WSTRING:
    case PA_POINTER: v->pointer = va_arg(*values, const void *); break;
    case PA_FLOAT:
    case PA_DOUBLE: pass_over(values, (type & PA_FLAG_LONG_DOUBLE) != 0); break;
    default: return false;
    }
    return true;
}
static_assert(sizeof(long) == sizeof(long long), "one va_arg() takes both");

/* Takes all arguments from the list. @return the number of known ones. */
static size_t take_all(const char *format, va_list *values, value *taken) {
    int types[ARGUMENTS_MAX];
    size_t known = 0, count = parse_printf_format(format, ARGUMENTS_MAX, types);
    if (count > ARGUMENTS_MAX) count = ARGUMENTS_MAX;
    while (known < count && take(types[known], values, &taken[known])) known++;
    return known;
}

/* ---- the directives: %[n$][flags][width][.precision][length]conversion ---- */

typedef struct scan {
    const char *at;
    size_t next; /* the next argument, for a directive without an argument number */
    const value *values;
    size_t count;
} scan;

typedef struct directive {
    size_t argument;
    size_t most;    /* the precision; SIZE_MAX: there is none */
    size_t bytes;   /* size in bytes of a number with the length modifier */
    bool wide;      /* the length modifier is l */
    char character; /* the conversion */
} directive;

static size_t number(scan *s) {
    size_t sum = 0;
    for (; *s->at >= '0' && *s->at <= '9'; s->at++)
        sum = sum < INT_MAX ? sum * 10 + (size_t)(*s->at - '0') : sum;
    return sum;
}

/* Reads "n$". @return SIZE_MAX when it is not there. */
static size_t numbered(scan *s) {
    const char *begin = s->at;
    size_t n = number(s);
    if (n != 0 && *s->at == '$') {
        s->at++;
        return n - 1;
    }
    s->at = begin;
    return SIZE_MAX;
}

/* Reads a width or a precision. @return a negative number: it counts as missing. */
static intmax_t amount(scan *s) {
    size_t argument;
    if (*s->at != '*') return (intmax_t)number(s);
    s->at++;
    argument = numbered(s);
    if (argument == SIZE_MAX) argument = s->next++;
    return argument < s->count ? s->values[argument].number : -1;
}

/* Each letter doubles or halves the size; l, and no other, makes a string wide. */
static void read_length(scan *s, directive *d) {
    for (; *s->at != '\0' && strchr("hlqLjzZt", *s->at) != NULL; s->at++) {
        d->wide = *s->at == 'l';
        d->bytes = *s->at == 'h' ? d->bytes / 2 : sizeof(long);
    }
}

/* Reads the next directive. @return false at the end of the format. */
static bool next_directive(scan *s, directive *d) {
    intmax_t most = -1;
    s->at = strchr(s->at, '%');
    if (s->at == NULL) return false;
    s->at++;
    *d = (directive){numbered(s), SIZE_MAX, sizeof(int), false, '\0'};
    while (*s->at != '\0' && strchr("-+ #0'I", *s->at) != NULL) s->at++;
    (void)amount(s);
    if (*s->at == '.') {
        s->at++;
        most = amount(s);
    }
    if (most >= 0) d->most = (size_t)most;
    read_length(s, d);
    d->character = *s->at;
    if (*s->at == '\0') return false;
    s->at++;
    if (d->argument == SIZE_MAX && strchr("%m", d->character) == NULL) d->argument = s->next++;
    return true;
}

/* ---- what they read and write ---- */

static void tell_text(const char *text, size_t most, const void *pc) {
    size_t length = svs__real_strnlen(text, most);
    svs__wrap_tell(text, length < most ? length + 1 : most, false, pc);
}

/* Reports the read of a wide string. A precision counts the bytes that are made of the
 * characters. */
static void tell_wide(const wchar_t *text, size_t most, const void *pc) {
    size_t characters = most == SIZE_MAX ? SIZE_MAX : most / MB_CUR_MAX;
    size_t length = 0;
    while (length < characters && text[length] != L'\0') length++;
    svs__wrap_tell(text, (length < characters ? length + 1 : length) * sizeof *text, false, pc);
}

static void tell(const directive *d, const void *pointer, const void *pc) {
    if (pointer == NULL) return;
    if (d->character == 'n') svs__wrap_tell(pointer, d->bytes, true, pc);
    else if (d->character == 'S' || (d->character == 's' && d->wide))
        tell_wide(pointer, d->most, pc);
    else if (d->character == 's') tell_text(pointer, d->most, pc);
}

/* Reports what the arguments read and write. Leaves `values` unchanged. */
static void tell_arguments(const char *format, va_list values, const void *pc) {
    value taken[ARGUMENTS_MAX];
    scan s = {format, 0, taken, 0};
    directive d;
    va_list rest;
    if (svs__check_quiet != 0 || svs__check_self->step == 0) return;
    tell_text(format, SIZE_MAX, pc);
    va_copy(rest, values);
    s.count = take_all(format, &rest, taken);
    va_end(rest);
    while (next_directive(&s, &d))
        if (d.argument < s.count) tell(&d, taken[d.argument].pointer, pc);
}

size_t svs__real_strlen(const char *text) __asm__("__real_strlen");

/* Reports the write of the output into memory: as much as fits, with its end. */
static void tell_written(const char *to, size_t room, int length, const void *pc) {
    if (length < 0 || room == 0) return;
    svs__wrap_tell(to, (size_t)length < room ? (size_t)length + 1 : room, true, pc);
}

/* Defines two functions: `plain` takes the arguments themselves, `listed` a va_list. `parameters`
 * and `arguments` are those before the format, each with a comma after it. `written` reports the
 * writes at the end. */
#define ALL(...) __VA_ARGS__
#define PRINTS(plain, listed, parameters, arguments, written)                                      \
    int svs__real_##listed(ALL parameters const char *format,                                      \
                           va_list values) __asm__("__real_" #listed);                             \
    static int call_##listed(ALL parameters const char *format, va_list values, const void *pc) {  \
        int length;                                                                                \
        tell_arguments(format, values, pc);                                                        \
        length = svs__real_##listed(ALL arguments format, values);                                 \
        written;                                                                                   \
        return length;                                                                             \
    }                                                                                              \
    WRAP(int, listed, (ALL parameters const char *format, va_list values)) {                       \
        return call_##listed(ALL arguments format, values, SVS__CALLER());                         \
    }                                                                                              \
    WRAP(int, plain, (ALL parameters const char *format, ...)) {                                   \
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

/* Functions that the headers call with _FORTIFY_SOURCE; `flag` is the strictness. */
PRINTS(__printf_chk, __vprintf_chk, (int flag, ), (flag, ), NOTHING)
PRINTS(__fprintf_chk, __vfprintf_chk, (FILE * file, int flag, ), (file, flag, ), NOTHING)
PRINTS(__dprintf_chk, __vdprintf_chk, (int file, int flag, ), (file, flag, ), NOTHING)
PRINTS(__sprintf_chk, __vsprintf_chk, (char *to, int flag, size_t size, ), (to, flag, size, ),
       UP_TO(SIZE_MAX))
PRINTS(__snprintf_chk, __vsnprintf_chk, (char *to, size_t room, int flag, size_t size, ),
       (to, room, flag, size, ), UP_TO(room))
PRINTS(__asprintf_chk, __vasprintf_chk, (char **to, int flag, ), (to, flag, ), BLOCK)

/* clang calls these for a printf() of a string alone. */
WRAP(int, puts, (const char *text)) {
    READS(text, svs__real_strlen(text) + 1);
    return svs__real_puts(text);
}

WRAP(int, fputs, (const char *text, FILE *file)) {
    READS(text, svs__real_strlen(text) + 1);
    return svs__real_fputs(text, file);
}
