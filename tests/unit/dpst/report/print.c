/* The bytes of its arguments that printf() reads, by each directive: a parallel write of one byte
 * is a race exactly if printf() reads that byte. */
#include "../../worksteal/running.h"
#include <stdio.h>
#include <string.h>
#include <svs/async.h>
#include <svs/check.h>
#include <wchar.h>

static char text[8] = "abcdef", other[8] = "xyz";
static wchar_t wide[8] = L"abcdef";
static signed char count[8];
static void *const no_text = NULL;

/* Which memory, how many of its bytes are read or written, and how. */
#define PRINTS(X)                                                                                  \
    X(text, 7, "%s", text)                                                                         \
    X(text, 7, "100%% %-12s", text)                                                                \
    X(text, 3, "%.3s", text)                                                                       \
    X(text, 7, "%.7s", text)                                                                       \
    X(text, 0, "%.s", text)                                                                        \
    X(text, 0, "%.0s%s", text, other)                                                              \
    X(text, 3, "%.*s", 3, text)                                                                    \
    X(text, 7, "%.*s", -1, text)                                                                   \
    X(text, 2, "%*.*s", 20, 2, text)                                                               \
    X(text, 7, "%d %5.1f %c %s", 1, 2.0, 'c', text)                                                \
    X(text, 7, "%ld %lld %hhd %zu %jd %p %Lg %s", 1L, 2LL, 3, (size_t)4, (intmax_t)5, no_text,     \
      6.0L, text)                                                                                  \
    X(text, 7, "%2$s %1$d", 1, text)                                                               \
    X(text, 4, "%3$.*2$s %1$d", 1, 4, text)                                                        \
    X(text, 7, "%s %s", other, text)                                                               \
    X(text, 7, "%m %s", text)                                                                      \
    X(text, 0, "%p", (void *)text)                                                                 \
    X(text, 0, "%s", (char *)no_text)                                                              \
    X(wide, 28, "%ls", wide)                                                                       \
    X(wide, 28, "%S", wide)                                                                        \
    X(wide, 8, "%.2ls", wide)                                                                      \
    X(count, 4, "abc%n", (int *)(void *)count)                                                     \
    X(count, 1, "abc%hhn", count)                                                                  \
    X(count, 2, "abc%hn", (short *)(void *)count)                                                  \
    X(count, 8, "abc%ln", (long *)(void *)count)

enum { ROOM = 256 };
/* Called so that no compiler looks into the format. */
static int (*volatile print)(char *to, size_t room, const char *format, ...) = snprintf;

static int number_of_print;
static void call_print(char *to, size_t room) {
    int number = 0;
#define CALL(memory, read, ...)                                                                    \
    if (number++ == number_of_print) (void)print(to, room, __VA_ARGS__);
    PRINTS(CALL)
}

static void do_print(svs_async_context *async, void *argument) {
    char to[ROOM];
    call_print(to, sizeof to);
}

static const char *touched;
static void touch(svs_async_context *async, void *argument) { svs_check_write(touched, 1); }

static void both(svs_async_context *async, void *argument) {
    svs_async(async, do_print, argument, 0);
    svs_async(async, touch, argument, 0);
}

static bool races_with(svs_runtime *runtime, const char *byte) {
    svs_check_summary before, after;
    touched = byte;
    assert_int_equal(svs_check_summary_get(runtime, &before), SVS_OK);
    assert_int_equal(svs_async_run(runtime, both, NULL), SVS_OK);
    assert_int_equal(svs_check_summary_get(runtime, &after), SVS_OK);
    return after.races != before.races;
}

typedef struct expectation {
    const void *memory;
    size_t bytes, used;
    const char *text;
} expectation;

TEST_CASE(strings_are_read_up_to_their_end_or_precision) {
#define ENTRY(memory, used, ...) {memory, sizeof(memory), used, #__VA_ARGS__},
    const expectation all[] = {PRINTS(ENTRY)};
    svs_runtime *runtime = started(1, 0); /* the answer is that for any schedule */
    for (number_of_print = 0; number_of_print < (int)(sizeof all / sizeof *all);
         number_of_print++) {
        const expectation *e = &all[number_of_print];
        for (size_t i = 0; i < e->bytes; i++)
            if (races_with(runtime, (const char *)e->memory + i) != (i < e->used))
                fail_msg("%s: byte %zu", e->text, i);
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
