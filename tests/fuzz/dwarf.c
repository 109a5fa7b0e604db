/* A target for libFuzzer: any bytes at all, as an ELF file with debug information, have no units,
 * or units and entries that lie within the file, in order. Each variable has a path that ends
 * within its room, or none.
 *
 *     ninja fuzz_dwarf && bin/fuzz_dwarf -max_total_time=60 /tmp/found */
#include "dpst/report/dwarf.h"
#include "as_file.h"
#include "dpst/report/types.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PATHS 4u     /* variables whose paths are asked for: each question opens the file anew */
#define STRIDE 4093u /* prime, so that offsets fall on different members */

static void check_path(const char *path, uint64_t address, size_t offset, size_t room) {
    char text[64];
    memset(text, 'x', sizeof text);
    if (svs__types_path_in(path, address, offset, text, room))
        SVS__CHECK(memchr(text, 0, room) != NULL);
    for (size_t i = room; i < sizeof text; i++) SVS__CHECK(text[i] == 'x');
}

static void check_name(const svs__dwarf *m, const char *name) {
    const char *from = (const char *)m->file, *end = from + m->size;
    if (name != NULL)
        SVS__CHECK(name >= from && name < end && memchr(name, 0, (size_t)(end - name)) != NULL);
}

/* @return how many variables with an address the unit has; their first PATHS are in `found`. */
static uint32_t check_entries(const svs__dwarf_unit *unit, uint64_t *found) {
    uint32_t count = 0;
    svs__dwarf_entry e;
    for (size_t at = unit->first; at < unit->end && svs__dwarf_entry_at(unit, at, &e);
         at = e.next) {
        SVS__CHECK(e.at == at && e.next > at && e.next <= unit->module->part[SVS__DWARF_INFO].size);
        check_name(unit->module, e.name);
        if (e.has_address && count < PATHS) found[count++] = e.address;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[AS_FILE_PATH];
    int file = as_file(data, size, path);
    uint64_t found[PATHS] = {1};
    svs__dwarf_unit unit;
    svs__dwarf module;
    if (svs__dwarf_open(&module, path)) {
        for (size_t at = 0; svs__dwarf_unit_at(&module, at, &unit); at = unit.end) {
            SVS__CHECK(unit.begin == at && unit.end > at && unit.first <= unit.end);
            SVS__CHECK(unit.end <= module.part[SVS__DWARF_INFO].size);
            (void)check_entries(&unit, found);
        }
        svs__dwarf_close(&module);
    }
    for (uint32_t i = 0; i < PATHS; i++)
        for (size_t room = 1; room <= 64; room *= 8)
            check_path(path, found[i], i * STRIDE % 97, room);
    (void)close(file);
    return 0;
}
