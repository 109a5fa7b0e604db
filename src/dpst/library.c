#include "dpst/library.h"
#include <link.h>
#include <stddef.h>

/* ---- thread-local variables (X8) ---- */

typedef struct question {
    uintptr_t address, pc;
    bool other; /* the answer */
} question;

/* Asked of each library, and of the program, until one has the variable. */
static int ask(struct dl_phdr_info *info, size_t bytes, void *argument) {
    question *q = argument;
    bool has_variable = false, has_code = false;
    (void)bytes;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_TLS && info->dlpi_tls_data != NULL)
            has_variable = q->address - (uintptr_t)info->dlpi_tls_data < part->p_memsz;
        else if (part->p_type == PT_LOAD)
            has_code |= q->pc - (info->dlpi_addr + part->p_vaddr) < part->p_memsz;
    }
    q->other = has_variable && !has_code;
    return has_variable;
}

bool svs__check_is_of_library(uintptr_t address, const void *pc) {
    question q = {address, (uintptr_t)pc, false};
    (void)dl_iterate_phdr(ask, &q);
    return q.other;
}

/* ---- counting (X9) ---- */

/* glibc 2.32 and later have it. */
extern char single_threaded __asm__("__libc_single_threaded") __attribute__((weak));

void svs__libraries_expect_threads(void) {
    if (&single_threaded != NULL) single_threaded = 0;
}
