#include "base/modules.h"
#include <link.h>

typedef struct list {
    svs__module *modules;
    uint32_t count, most;
} list;

static int note(struct dl_phdr_info *info, size_t bytes, void *argument) {
    list *l = argument;
    svs__module m = {(uintptr_t)info->dlpi_tls_data, 0, UINTPTR_MAX, 0};
    (void)bytes;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        if (part->p_type == PT_TLS) m.bytes = part->p_memsz;
        if (part->p_type != PT_LOAD) continue;
        if (from < m.low) m.low = from;
        if (to > m.high) m.high = to;
    }
    if (m.bytes == 0 || m.variables == 0) return 0;
    l->modules[l->count++] = m;
    return l->count == l->most;
}

uint32_t svs__modules_list(svs__module *modules, uint32_t most) {
    list l = {modules, 0, most};
    if (most != 0) (void)dl_iterate_phdr(note, &l);
    return l.count;
}
