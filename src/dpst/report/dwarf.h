/* A reader of debug information (DWARF 4 and 5), as far as it serves to name a place in a variable:
 * the variables with fixed addresses of one module, and their types.
 *
 * It trusts no byte: each read is within its section, and an unknown form
 * ends the unit. What it does not know (other versions, compressed sections, debug
 * information in files of its own) is as if it was not there.
 *
 * Threads: any; a module is immutable after svs__dwarf_open(). */
#ifndef SVS_DPST_REPORT_DWARF_H
#define SVS_DPST_REPORT_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct svs__dwarf_section {
    const unsigned char *bytes;
    size_t size;
} svs__dwarf_section;

typedef enum svs__dwarf_part {
    SVS__DWARF_INFO,
    SVS__DWARF_ABBREV,
    SVS__DWARF_STR,
    SVS__DWARF_LINE_STR,
    SVS__DWARF_STR_OFFSETS,
    SVS__DWARF_ADDR,
    SVS__DWARF_PARTS
} svs__dwarf_part;

/* A mapped module. */
typedef struct svs__dwarf {
    const unsigned char *file;
    size_t size;
    svs__dwarf_section part[SVS__DWARF_PARTS];
} svs__dwarf;

/* number of abbreviations with an entry in the table `codes`; others are searched for */
#define SVS__DWARF_CODES 256u

/* A compilation unit of a file. */
typedef struct svs__dwarf_unit {
    const svs__dwarf *module;
    size_t begin, end; /* range in the section .debug_info */
    size_t first;      /* offset of the unit's first entry */
    size_t abbrev;
    uint16_t version;
    uint8_t address_size;
    uint64_t addr_base, str_base;
    uint32_t codes[SVS__DWARF_CODES]; /* offset of each abbreviation plus 1; 0: none */
} svs__dwarf_unit;

/* An entry: the attributes that are of use. */
typedef struct svs__dwarf_entry {
    size_t at, next; /* next: the offset after its attributes */
    uint64_t tag;    /* 0: the end of a list of children */
    bool has_children;
    size_t type, origin, sibling; /* offsets of entries, or 0 */
    bool has_address;
    uint64_t address;
    bool has_bytes;
    uint64_t bytes;
    bool has_count;
    uint64_t count;               /* of a subrange: number of elements */
    uint64_t offset;              /* of a member: offset in its struct */
    const char *name;             /* the name, or NULL */
    uint64_t addr_base, str_base; /* of a unit: bases of the tables */
} svs__dwarf_entry;

/* Maps an ELF file. @return false: it has no debug information that this reader knows. */
bool svs__dwarf_open(svs__dwarf *module, const char *path);
void svs__dwarf_close(svs__dwarf *module);

/* Reads the unit that begins at offset `at` of .debug_info. @return false: there is none. */
bool svs__dwarf_unit_at(const svs__dwarf *module, size_t at, svs__dwarf_unit *unit);
/* Reads the entry at offset `at`. @return false: it cannot be read. */
bool svs__dwarf_entry_at(const svs__dwarf_unit *unit, size_t at, svs__dwarf_entry *entry);

#endif
