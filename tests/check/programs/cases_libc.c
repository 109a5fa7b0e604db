/* Accesses of the C library on behalf of a task, and its data of each thread. */
#define _GNU_SOURCE /* mremap() */
#include "cases.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>
#include <sys/mman.h>
#include <threads.h>

/* A value that has to be read. */
static void keep(unsigned long value) {
    volatile unsigned long kept = value;
    (void)kept;
}

/* ---- no race: errno is the library's, one for each thread ---- */

static void convert(svs_async_context *s, void *a) {
    char digits[] = "7";
    errno = 0;
    keep((unsigned long)strtol(digits, NULL, 10));
    if (errno != 0) abort();
}
static void errno_apart(svs_async_context *s, void *a) {
    for (int i = 0; i < 4; i++) spawn_two(s, convert, convert, a);
}

/* ---- a thread-local variable of the program's: some of many tasks share a worker ---- */

static _Thread_local volatile int of_thread;
static void use_of_thread(svs_async_context *s, void *a) {
    of_thread = 1; /* [own_thread_local.a] */
}
static void own_thread_local(svs_async_context *s, void *a) {
    for (int i = 0; i < 16; i++) spawn_two(s, use_of_thread, use_of_thread, a);
}

/* ---- no race: a mapping's next life is another mapping ---- */

enum { PAGE = 4096 };
static volatile unsigned char *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
    return memory;
}
static void unmap(volatile unsigned char *memory, size_t bytes) {
    if (munmap((void *)memory, bytes) != 0) abort();
}
static void map_often(svs_async_context *s, void *a) {
    for (int i = 0; i < 20; i++) {
        volatile unsigned char *memory = map(PAGE);
        memory[5] = 1;
        memory = mremap((void *)memory, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
        if (memory == MAP_FAILED) abort();
        memory[PAGE + 5] = 1;
        unmap(memory, 2 * PAGE);
    }
}
static void mapping_reuse(svs_async_context *s, void *a) {
    for (int i = 0; i < 4; i++) spawn_two(s, map_often, map_often, a);
}

/* ---- a mapping that ends beside its use; by hand, as a read behind the end would crash ---- */

static void use_mapping(svs_async_context *s, void *a) {
    svs_check_read((char *)a + 100, 4); /* [unmapped.a] */
}
static void end_mapping(svs_async_context *s, void *a) {
    if (munmap(a, PAGE) != 0) abort(); /* [unmapped.b] */
}
static void unmapped(svs_async_context *s, void *a) {
    volatile unsigned char *memory = map(PAGE);
    memory[100] = 1;
    spawn_two(s, use_mapping, end_mapping, (void *)memory);
}

/* ---- no race: an initialiser that runs once is before all that is behind it ---- */

static pthread_once_t posix_control = PTHREAD_ONCE_INIT;
static once_flag c_control = ONCE_FLAG_INIT;
static int made[2], used;
static void make_one(void) { made[0] = 1; }
static void make_other(void) { made[1] = 2; }
static void need_made(svs_async_context *s, void *a) {
    if (pthread_once(&posix_control, make_one) != 0) abort();
    call_once(&c_control, make_other);
    if (made[0] != 1 || made[1] != 2) abort();
}
static void made_once(svs_async_context *s, void *a) {
    for (int i = 0; i < 4; i++) spawn_two(s, need_made, need_made, a);
}

/* ---- and accesses behind it are checked ---- */

static void use_made(svs_async_context *s, void *a) {
    need_made(s, a);
    used++; /* [behind_once.a] */
}
static void behind_once(svs_async_context *s, void *a) { spawn_two(s, use_made, use_made, a); }

/* ---- printing reads the arguments and writes the target ---- */

char text[16] = "abcdefgh", printed[16];
static void change_text(svs_async_context *s, void *a) { text[5] = 'x'; /* [printed_text.b] */ }
static void print_text(svs_async_context *s, void *a) {
    char here[32];
    keep((unsigned long)snprintf(here, sizeof here, "%d %s", 5, text)); /* [printed_text.a] */
}
static void printed_text(svs_async_context *s, void *a) {
    spawn_two(s, print_text, change_text, a);
}

static void print_part(svs_async_context *s, void *a) {
    char here[32];
    keep((unsigned long)snprintf(here, sizeof here, "%.*s%.5s", 5, text, text));
}
static void printed_part(svs_async_context *s, void *a) {
    spawn_two(s, print_part, change_text, a);
}

static void list(FILE *file, const char *format, ...) {
    va_list values;
    va_start(values, format);
    keep((unsigned long)vfprintf(file, format, values)); /* [printed_list.a] */
    va_end(values);
}
static void list_text(svs_async_context *s, void *a) { list(stdout, "%2$s %1$d\n", 5, text); }
static void change_listed(svs_async_context *s, void *a) { text[5] = 'y'; /* [printed_list.b] */ }
static void printed_list(svs_async_context *s, void *a) {
    spawn_two(s, list_text, change_listed, a);
}

static void put_text(svs_async_context *s, void *a) { printf("%s\n", text); /* [put.a] */ }
static void change_put(svs_async_context *s, void *a) { text[5] = 'z'; /* [put.b] */ }
static void put(svs_async_context *s, void *a) { spawn_two(s, put_text, change_put, a); }

static void print_into(svs_async_context *s, void *a) {
    keep((unsigned long)sprintf(printed, "%d", 12345)); /* [printed_into.a] */
}
static void look_into(svs_async_context *s, void *a) {
    keep((unsigned char)printed[5]); /* [printed_into.b] */
}
static void printed_into(svs_async_context *s, void *a) { spawn_two(s, print_into, look_into, a); }

#define CASE(name)                                                                                 \
    { #name, name }
static const check_case cases[] = {
    CASE(errno_apart),  CASE(own_thread_local), CASE(mapping_reuse),
    CASE(unmapped),     CASE(made_once),        CASE(behind_once),
    CASE(printed_text), CASE(printed_part),     CASE(printed_list),
    CASE(put),          CASE(printed_into),
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, argc, argv);
}
