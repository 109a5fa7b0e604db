/* Libraries that are not instrumented: their own variables, and how they count references.
 *
 * racecheck.X8. A thread-local variable of another library than the code that accesses it belongs
 *     to that library, which has one for each thread because tasks of one thread may share it one
 *     after the other: errno, for example, and what std::call_once() hands on. A variable of the
 *     program's own may carry data from task to task, and is compared. Libraries are those that are
 *     loaded with the program. (not asserted: a policy about libraries)
 * racecheck.X9. While a check is on, no library takes the process for a single-threaded one: with
 *     one worker it would be one, and inline code of headers would count references without
 *     atomics, unlike with more workers. (not asserted: a property of the C library) */
#include "racecheck/shadow/spd3.h"
#include <link.h>
#include <stddef.h>

/* ---- thread-local variables (racecheck.X8) ---- */

/* A library, or the program. */
typedef struct module {
    uintptr_t variables; /* thread-local ones, from svs__check_self on: alike in each thread */
    size_t bytes;
    uintptr_t low, high; /* its code and data */
} module;

/* Those that have been loaded with the program: of others, threads have the variables wherever
 * there is room. The loader's lock may be held for ever in a child of fork(), so it is asked once,
 * before main(). */
#define MODULES_MAX 64u
static module modules[MODULES_MAX];
static uint32_t module_count;

static int note(struct dl_phdr_info *info, size_t bytes, void *unused) {
    module m = {0, 0, UINTPTR_MAX, 0};
    (void)bytes, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        if (part->p_type == PT_TLS) m.bytes = part->p_memsz;
        if (part->p_type != PT_LOAD) continue;
        if (from < m.low) m.low = from;
        if (to > m.high) m.high = to;
    }
    if (m.bytes == 0 || info->dlpi_tls_data == NULL) return 0;
    m.variables = (uintptr_t)info->dlpi_tls_data - (uintptr_t)&svs__check_self;
    modules[module_count++] = m;
    return module_count == MODULES_MAX;
}

__attribute__((constructor)) static void note_modules(void) { (void)dl_iterate_phdr(note, NULL); }

bool svs__check_is_of_library(uintptr_t address, const void *pc) {
    uintptr_t at = address - (uintptr_t)&svs__check_self;
    for (uint32_t i = 0; i < module_count; i++) {
        const module *m = &modules[i];
        if (at - m->variables < m->bytes) return (uintptr_t)pc - m->low >= m->high - m->low;
    }
    return false;
}

/* ---- counting (racecheck.X9) ---- */

/* glibc 2.32 and later have it. */
extern char single_threaded __asm__("__libc_single_threaded") __attribute__((weak));

void svs__libraries_expect_threads(void) {
    if (&single_threaded != NULL) single_threaded = 0;
}
