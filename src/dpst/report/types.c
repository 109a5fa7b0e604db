#include "dpst/report/types.h"
#include "dpst/report/dwarf.h"
#include <link.h>
#include <stdio.h>

enum {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_SUBRANGE = 0x21,
    TAG_CONST = 0x26,
    TAG_VARIABLE = 0x34,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_ATOMIC = 0x47
};

#define DEPTH 16      /* maximal nesting of types */
#define DIMENSIONS 8u /* maximal number of dimensions of an array */

/* ---- types ---- */

static bool is_other_name(uint64_t tag) {
    return tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT ||
           tag == TAG_ATOMIC;
}

/* Finds the type itself, without typedefs and qualifiers. @return false: it is not known. */
static bool type_at(const svs__dwarf_unit *u, size_t at, svs__dwarf_entry *type) {
    for (int i = 0; i < DEPTH && at && svs__dwarf_entry_at(u, at, type); i++) {
        if (!is_other_name(type->tag)) return type->tag != 0;
        at = type->type;
    }
    return false;
}

/* Finds the entry that follows `e` and its children. @return false: the list ends. */
static bool next_child(const svs__dwarf_unit *u, const svs__dwarf_entry *e, size_t *at) {
    svs__dwarf_entry inner = *e;
    int depth = 0;
    if (e->sibling > e->at) {
        *at = e->sibling;
        return true;
    }
    *at = e->next;
    depth = e->has_children;
    while (depth > 0) {
        if (!svs__dwarf_entry_at(u, *at, &inner)) return false;
        *at = inner.next;
        depth += inner.tag ? inner.has_children : -1;
    }
    return true;
}

/* Reads the counts of an array's dimensions, outermost first; 0: not known. @return the number of
 * dimensions. */
static unsigned counts_of(const svs__dwarf_unit *u, const svs__dwarf_entry *array,
                          uint64_t *counts) {
    svs__dwarf_entry child;
    unsigned found = 0;
    size_t at = array->next;
    while (array->has_children && found < DIMENSIONS && svs__dwarf_entry_at(u, at, &child) &&
           child.tag) {
        if (child.tag == TAG_SUBRANGE) counts[found++] = child.has_count ? child.count : 0;
        if (!next_child(u, &child, &at)) break;
    }
    return found;
}

/* The size of a type; 0: not known. */
static uint64_t size_of(const svs__dwarf_unit *u, size_t at, int depth) {
    uint64_t counts[DIMENSIONS], size;
    svs__dwarf_entry type;
    unsigned dimensions;
    if (!depth || !type_at(u, at, &type)) return 0;
    if (type.has_bytes) return type.bytes;
    if (type.tag == TAG_POINTER) return u->address_size;
    if (type.tag != TAG_ARRAY) return 0;
    size = size_of(u, type.type, depth - 1);
    dimensions = counts_of(u, &type, counts);
    for (unsigned i = 0; i < dimensions; i++)
        if (__builtin_mul_overflow(size, counts[i], &size)) return 0;
    return size;
}

/* ---- the path ---- */

typedef struct path {
    const svs__dwarf_unit *unit;
    char *to;
    size_t room, used;
    uint64_t offset; /* the part of the offset that is not resolved yet */
    size_t type;
} path;

static void put(path *p, int printed) {
    if (printed > 0)
        p->used += (size_t)printed < p->room - p->used ? (size_t)printed : p->room - p->used - 1;
}

/* Steps into an element of an array. @return false when the element's size is unknown or the offset
 * is outside the array. */
static bool into_array(path *p, const svs__dwarf_entry *type) {
    uint64_t counts[DIMENSIONS], size = size_of(p->unit, type->type, DEPTH);
    unsigned dimensions = counts_of(p->unit, type, counts);
    if (!size || !dimensions) return false;
    for (unsigned i = 1; i < dimensions; i++)
        if (!counts[i] || __builtin_mul_overflow(size, counts[i], &size)) return false;
    for (unsigned i = 0; i < dimensions; i++) {
        uint64_t index = p->offset / size;
        if (counts[i] && index >= counts[i]) return false;
        put(p, snprintf(p->to + p->used, p->room - p->used, "[%llu]", (unsigned long long)index));
        p->offset %= size;
        if (i + 1 < dimensions) size /= counts[i + 1];
    }
    p->type = type->type;
    return true;
}

/* Steps into the member that contains the byte. For the first byte of the struct, the path names
 * the struct as a whole. */
static bool into_struct(path *p, const svs__dwarf_entry *type) {
    svs__dwarf_entry child;
    size_t at = type->next;
    if (!p->offset || !type->has_children) return false;
    while (svs__dwarf_entry_at(p->unit, at, &child) && child.tag) {
        uint64_t size = child.tag == TAG_MEMBER ? size_of(p->unit, child.type, DEPTH) : 0;
        if (size && child.name && p->offset >= child.offset && p->offset - child.offset < size) {
            put(p, snprintf(p->to + p->used, p->room - p->used, ".%s", child.name));
            p->offset -= child.offset;
            p->type = child.type;
            return true;
        }
        if (!next_child(p->unit, &child, &at)) break;
    }
    return false;
}

static bool walk(path *p) {
    svs__dwarf_entry type;
    for (int i = 0; i < DEPTH && type_at(p->unit, p->type, &type); i++) {
        bool further = type.tag == TAG_ARRAY                             ? into_array(p, &type)
                       : type.tag == TAG_STRUCT || type.tag == TAG_CLASS ? into_struct(p, &type)
                                                                         : false;
        if (!further) break;
    }
    if (p->used && p->offset)
        put(p, snprintf(p->to + p->used, p->room - p->used, " + %llu bytes",
                        (unsigned long long)p->offset));
    return p->used != 0;
}

/* ---- variables ---- */

/* Finds the variable that contains the address. A definition may leave its type to its
 * declaration. */
static bool find_variable(const svs__dwarf_unit *u, uint64_t address, size_t *type) {
    svs__dwarf_entry e, origin;
    for (size_t at = u->first; at < u->end && svs__dwarf_entry_at(u, at, &e); at = e.next) {
        if (e.tag != TAG_VARIABLE || !e.has_address || e.address != address) continue;
        *type = e.type;
        if (!*type && e.origin && svs__dwarf_entry_at(u, e.origin, &origin)) *type = origin.type;
        return *type != 0;
    }
    return false;
}

bool svs__types_path_in(const char *file, uint64_t begin, size_t offset, char *to, size_t room) {
    svs__dwarf module;
    svs__dwarf_unit unit;
    bool found = false;
    path p = {.to = to, .room = room, .offset = offset};
    if (!room || !svs__dwarf_open(&module, file)) return false;
    to[0] = 0;
    for (size_t at = 0; !found && svs__dwarf_unit_at(&module, at, &unit); at = unit.end) {
        p.unit = &unit;
        found = find_variable(&unit, begin, &p.type);
    }
    found = found && walk(&p);
    svs__dwarf_close(&module);
    return found;
}

/* ---- the module ---- */

typedef struct search {
    uintptr_t address, bias;
    const char *file;
} search;

static int look(struct dl_phdr_info *info, size_t bytes, void *argument) {
    search *s = argument;
    (void)bytes;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || s->address < from ||
            s->address - from >= info->dlpi_phdr[i].p_memsz)
            continue;
        s->bias = info->dlpi_addr;
        s->file = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
        return 1;
    }
    return 0;
}

bool svs__types_path(uintptr_t begin, size_t offset, char *to, size_t room) {
    search s = {begin, 0, NULL};
    (void)dl_iterate_phdr(look, &s);
    return s.file && svs__types_path_in(s.file, begin - s.bias, offset, to, room);
}
