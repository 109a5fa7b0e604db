#include "dpst/report/dwarf.h"
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- numbers ---- */

typedef struct input {
    const unsigned char *at, *end;
    bool bad;
} input;

static input input_at(const svs__dwarf_section *section, size_t at) {
    if (at >= section->size) return (input){NULL, NULL, true};
    return (input){section->bytes + at, section->bytes + section->size, false};
}

static const unsigned char *skip(input *in, uint64_t bytes) {
    const unsigned char *at = in->at;
    if (in->bad || bytes > (uint64_t)(in->end - in->at)) {
        in->bad = true;
        return NULL;
    }
    in->at += bytes;
    return at;
}

static uint64_t fixed(input *in, unsigned bytes) {
    const unsigned char *at = skip(in, bytes);
    uint64_t number = 0;
    for (unsigned i = 0; at && i < bytes; i++) number |= (uint64_t)at[i] << 8 * i;
    return number;
}

static uint64_t uleb(input *in) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        const unsigned char *byte = skip(in, 1);
        if (!byte) return 0;
        if (shift < 64) number |= (uint64_t)(*byte & 0x7f) << shift;
        if (*byte < 0x80) return number;
    }
    in->bad = true;
    return 0;
}

static const char *text(input *in) {
    const char *from = (const char *)in->at;
    const unsigned char *end = in->bad ? NULL : memchr(in->at, 0, (size_t)(in->end - in->at));
    if (!end) in->bad = true;
    else in->at = end + 1;
    return end ? from : NULL;
}

static const char *text_at(const svs__dwarf_section *section, uint64_t at) {
    input in = input_at(section, at <= SIZE_MAX ? (size_t)at : SIZE_MAX);
    return text(&in);
}

/* ---- the file ---- */

static const char *const part_names[SVS__DWARF_PARTS] = {".debug_info",        ".debug_abbrev",
                                                         ".debug_str",         ".debug_line_str",
                                                         ".debug_str_offsets", ".debug_addr"};

static bool is_within(const svs__dwarf *m, uint64_t at, uint64_t bytes) {
    return at <= m->size && bytes <= m->size - at;
}

static void find_parts(svs__dwarf *m, const Elf64_Ehdr *head) {
    const Elf64_Shdr *sections = (const void *)(m->file + head->e_shoff);
    const Elf64_Shdr *names = &sections[head->e_shstrndx];
    svs__dwarf_section strings;
    if (!is_within(m, names->sh_offset, names->sh_size)) return;
    strings = (svs__dwarf_section){m->file + names->sh_offset, (size_t)names->sh_size};
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const char *name = text_at(&strings, sections[i].sh_name);
        if (!name || sections[i].sh_flags & SHF_COMPRESSED || sections[i].sh_type == SHT_NOBITS ||
            !is_within(m, sections[i].sh_offset, sections[i].sh_size))
            continue;
        for (int p = 0; p < SVS__DWARF_PARTS; p++)
            if (!strcmp(name, part_names[p]))
                m->part[p] = (svs__dwarf_section){m->file + sections[i].sh_offset,
                                                  (size_t)sections[i].sh_size};
    }
}

static bool is_known(const svs__dwarf *m) {
    const Elf64_Ehdr *head = (const void *)m->file;
    return m->size >= sizeof *head && !memcmp(head->e_ident, ELFMAG, SELFMAG) &&
           head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_ident[EI_DATA] == ELFDATA2LSB &&
           head->e_shentsize == sizeof(Elf64_Shdr) && head->e_shoff % _Alignof(Elf64_Shdr) == 0 &&
           is_within(m, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)) &&
           head->e_shstrndx < head->e_shnum;
}

bool svs__dwarf_open(svs__dwarf *m, const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    void *bytes = MAP_FAILED;
    *m = (svs__dwarf){0};
    if (file < 0) return false;
    if (fstat(file, &about) == 0 && about.st_size > 0)
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    (void)close(file);
    if (bytes == MAP_FAILED) return false;
    m->file = bytes;
    m->size = (size_t)about.st_size;
    if (is_known(m)) find_parts(m, (const void *)m->file);
    if (m->part[SVS__DWARF_INFO].size && m->part[SVS__DWARF_ABBREV].size) return true;
    svs__dwarf_close(m);
    return false;
}

void svs__dwarf_close(svs__dwarf *m) {
    if (m->file) (void)munmap((void *)(uintptr_t)m->file, m->size);
    *m = (svs__dwarf){0};
}

/* ---- attributes ---- */

enum {
    AT_SIBLING = 0x01,
    AT_LOCATION = 0x02,
    AT_NAME = 0x03,
    AT_BYTE_SIZE = 0x0b,
    AT_UPPER_BOUND = 0x2f,
    AT_ABSTRACT_ORIGIN = 0x31,
    AT_COUNT = 0x37,
    AT_MEMBER_LOCATION = 0x38,
    AT_SPECIFICATION = 0x47,
    AT_TYPE = 0x49,
    AT_STR_OFFSETS_BASE = 0x72,
    AT_ADDR_BASE = 0x73
};

enum { OP_ADDR = 0x03, OP_ADDRX = 0xa1 };
enum { FORM_IMPLICIT = 0x21 };

/* The value of an attribute. */
typedef struct value {
    bool is_number, is_reference;
    uint64_t number;            /* of a reference: the offset of an entry */
    const unsigned char *block; /* a block of `number` bytes, or NULL */
    const char *text;
} value;

static value number_of(uint64_t number) { return (value){.is_number = true, .number = number}; }

static value reference(const svs__dwarf_unit *u, uint64_t offset) {
    return (value){.is_reference = true, .number = u->begin + offset};
}

static value block(input *in, uint64_t bytes) {
    return (value){.block = skip(in, bytes), .number = bytes};
}

static value text_of(const char *text) { return (value){.text = text}; }

/* The text with this index in the table of texts. */
static value indexed_text(const svs__dwarf_unit *u, uint64_t index) {
    const svs__dwarf *m = u->module;
    input in;
    if (index > m->part[SVS__DWARF_STR_OFFSETS].size / 4) return text_of(NULL);
    in = input_at(&m->part[SVS__DWARF_STR_OFFSETS], (size_t)(u->str_base + 4 * index));
    index = fixed(&in, 4);
    return text_of(in.bad ? NULL : text_at(&m->part[SVS__DWARF_STR], index));
}

/* Reads a value in one of the forms of DWARF 2 to 5, with offsets of 32 bits. */
static value read_form(const svs__dwarf_unit *u, input *in, uint64_t form, uint64_t constant) {
    const svs__dwarf *m = u->module;
    switch (form) {
    case 0x01: return number_of(fixed(in, u->address_size)); /* addr */
    case 0x03: return block(in, fixed(in, 2));               /* block2 */
    case 0x04: return block(in, fixed(in, 4));               /* block4 */
    case 0x05: return number_of(fixed(in, 2));               /* data2 */
    case 0x06: return number_of(fixed(in, 4));               /* data4 */
    case 0x07: return number_of(fixed(in, 8));               /* data8 */
    case 0x08: return text_of(text(in));                     /* string */
    case 0x09:                                               /* block */
    case 0x18: return block(in, uleb(in));                   /* exprloc */
    case 0x0a: return block(in, fixed(in, 1));               /* block1 */
    case 0x0b:                                               /* data1 */
    case 0x0c: return number_of(fixed(in, 1));               /* flag */
    case 0x0d:                                               /* sdata: those in use are positive */
    case 0x0f: return number_of(uleb(in));                   /* udata */
    case 0x0e: return text_of(text_at(&m->part[SVS__DWARF_STR], fixed(in, 4))); /* strp */
    case 0x10: return number_of(fixed(in, 4));                                  /* ref_addr */
    case 0x11: return reference(u, fixed(in, 1));                               /* ref1 */
    case 0x12: return reference(u, fixed(in, 2));                               /* ref2 */
    case 0x13: return reference(u, fixed(in, 4));                               /* ref4 */
    case 0x14: return reference(u, fixed(in, 8));                               /* ref8 */
    case 0x15: return reference(u, uleb(in));                                   /* ref_udata */
    case 0x17: return number_of(fixed(in, 4));                                  /* sec_offset */
    case 0x19: return number_of(1);                                             /* present */
    case 0x1a: return indexed_text(u, uleb(in));                                /* strx */
    case 0x1b:                                                                  /* addrx */
    case 0x22:                                                                  /* loclistx */
    case 0x23: return number_of(uleb(in));                                      /* rnglistx */
    case 0x1e: return block(in, 16);                                            /* data16 */
    case 0x1f: return text_of(text_at(&m->part[SVS__DWARF_LINE_STR], fixed(in, 4))); /* line_strp */
    case 0x20: return number_of(fixed(in, 8));                                       /* ref_sig8 */
    case 0x21: return number_of(constant); /* implicit_const */
    case 0x25:                             /* strx1 to strx4 */
    case 0x26:
    case 0x27:
    case 0x28: return indexed_text(u, fixed(in, (unsigned)(form - 0x24)));
    case 0x29: /* addrx1 to addrx4 */
    case 0x2a:
    case 0x2b:
    case 0x2c: return number_of(fixed(in, (unsigned)(form - 0x28)));
    default: in->bad = true; return number_of(0);
    }
}

/* Reads a fixed address, if it is the whole expression. */
static void read_location(const svs__dwarf_unit *u, const value *v, svs__dwarf_entry *e) {
    input in = {v->block, v->block + v->number, false};
    uint64_t operation = fixed(&in, 1), index;
    if (operation == OP_ADDR) {
        e->address = fixed(&in, u->address_size);
    } else if (operation == OP_ADDRX) {
        input table;
        index = uleb(&in);
        if (index > u->module->part[SVS__DWARF_ADDR].size / 8) return;
        table = input_at(&u->module->part[SVS__DWARF_ADDR], (size_t)(u->addr_base + 8 * index));
        e->address = fixed(&table, u->address_size);
        if (table.bad) return;
    } else {
        return;
    }
    e->has_address = !in.bad && in.at == in.end;
}

static void take(const svs__dwarf_unit *u, uint64_t attribute, const value *v,
                 svs__dwarf_entry *e) {
    switch (attribute) {
    case AT_SIBLING: e->sibling = v->is_reference ? (size_t)v->number : 0; break;
    case AT_LOCATION:
        if (v->block) read_location(u, v, e);
        break;
    case AT_NAME: e->name = v->text; break;
    case AT_BYTE_SIZE:
        e->has_bytes = v->is_number;
        e->bytes = v->number;
        break;
    case AT_UPPER_BOUND:
    case AT_COUNT:
        e->has_count = v->is_number;
        e->count = v->number + (attribute == AT_UPPER_BOUND);
        break;
    case AT_MEMBER_LOCATION: e->offset = v->is_number ? v->number : 0; break;
    case AT_ABSTRACT_ORIGIN:
    case AT_SPECIFICATION: e->origin = v->is_reference ? (size_t)v->number : 0; break;
    case AT_STR_OFFSETS_BASE: e->str_base = v->number; break;
    case AT_ADDR_BASE: e->addr_base = v->number; break;
    case AT_TYPE: e->type = v->is_reference ? (size_t)v->number : 0; break;
    default: break;
    }
}

/* Skips the rest of an abbreviation, from the end of its code. */
static void skip_abbreviation(input *in) {
    uint64_t attribute, form;
    (void)uleb(in);
    (void)skip(in, 1);
    do {
        attribute = uleb(in);
        form = uleb(in);
        if (form == FORM_IMPLICIT) (void)uleb(in);
    } while ((attribute || form) && !in->bad);
}

static void find_codes(svs__dwarf_unit *u) {
    const svs__dwarf_section *section = &u->module->part[SVS__DWARF_ABBREV];
    input in = input_at(section, u->abbrev);
    uint64_t code;
    while ((code = uleb(&in)) != 0 && !in.bad) {
        size_t at = (size_t)(in.at - section->bytes);
        if (code < SVS__DWARF_CODES && at < UINT32_MAX) u->codes[code] = (uint32_t)at + 1;
        skip_abbreviation(&in);
    }
}

/* Finds the abbreviation with this code; `in` is then at the end of the code. @return false: there
 * is no such abbreviation. */
static bool find_abbreviation(const svs__dwarf_unit *u, uint64_t code, input *in) {
    const svs__dwarf_section *section = &u->module->part[SVS__DWARF_ABBREV];
    uint64_t found;
    *in = input_at(section, u->abbrev);
    if (code < SVS__DWARF_CODES) {
        if (u->codes[code]) *in = input_at(section, u->codes[code] - 1);
        return u->codes[code] != 0;
    }
    while ((found = uleb(in)) != 0 && !in->bad) {
        if (found == code) return true;
        skip_abbreviation(in);
    }
    return false;
}

bool svs__dwarf_entry_at(const svs__dwarf_unit *u, size_t at, svs__dwarf_entry *e) {
    const svs__dwarf_section *info = &u->module->part[SVS__DWARF_INFO];
    input in = input_at(info, at), form;
    uint64_t code = uleb(&in);
    *e = (svs__dwarf_entry){.at = at};
    if (at < u->first || at >= u->end || in.bad) return false;
    e->next = (size_t)(in.at - info->bytes);
    if (!code) return true;
    if (!find_abbreviation(u, code, &form)) return false;
    e->tag = uleb(&form);
    e->has_children = fixed(&form, 1);
    for (;;) {
        uint64_t attribute = uleb(&form), kind = uleb(&form), constant = 0;
        value v;
        if (form.bad) return false;
        if (!attribute && !kind) break;
        if (kind == FORM_IMPLICIT) constant = uleb(&form);
        v = read_form(u, &in, kind, constant);
        if (in.bad) return false;
        take(u, attribute, &v, e);
    }
    e->next = (size_t)(in.at - info->bytes);
    return true;
}

bool svs__dwarf_unit_at(const svs__dwarf *m, size_t at, svs__dwarf_unit *u) {
    const svs__dwarf_section *info = &m->part[SVS__DWARF_INFO];
    input in = input_at(info, at);
    uint64_t length = fixed(&in, 4), kind = 1;
    svs__dwarf_entry first;
    if (in.bad || length >= 0xfffffff0u || length > (uint64_t)(in.end - in.at)) return false;
    *u = (svs__dwarf_unit){.module = m, .begin = at, .end = at + 4 + (size_t)length};
    u->version = (uint16_t)fixed(&in, 2);
    if (u->version >= 5) kind = fixed(&in, 1);
    if (u->version >= 5) u->address_size = (uint8_t)fixed(&in, 1);
    u->abbrev = (size_t)fixed(&in, 4);
    if (u->version < 5) u->address_size = (uint8_t)fixed(&in, 1);
    u->first = (size_t)(in.at - info->bytes);
    /* A unit of another kind or version is skipped: it counts as one without entries. */
    if (in.bad || u->version < 4 || u->version > 5 || kind != 1 || u->address_size != 8)
        u->first = u->end;
    if (u->first == u->end) return true;
    find_codes(u);
    if (svs__dwarf_entry_at(u, u->first, &first)) {
        u->addr_base = first.addr_base;
        u->str_base = first.str_base;
    }
    return true;
}
