#include "base/pages.h"
#include "dpst/shadow/shadow.h"
#include "dpst/tree/checker.h"
#include <string.h>

/* pc << 16 | check; step << 32 | frame. */
typedef struct site {
    _Atomic(uint64_t) where, whence;
} site;

/* The table has sets of two. The first half of the table holds the last note of each set; the
 * second half holds the one before, of another address. With one note a set, one access could soon
 * hide the site of another. */
#define SETS ((size_t)1 << 17)
#define SITES (2 * SETS)

static site *sites;

bool svs__sites_init(void) {
    sites = svs__pages_map(SITES * sizeof *sites);
    if (sites == NULL) return false;
    svs__pages_ready(sites, SITES * sizeof *sites);
    return true;
}

void svs__sites_clean_up(void) {
    svs__pages_unmap(sites, SITES * sizeof *sites);
    sites = NULL;
}

void svs__sites_reset(void) { memset(sites, 0, SITES * sizeof *sites); }

size_t svs__sites_bytes(void) {
    return sites == NULL ? 0 : svs__pages_touched(sites, SITES * sizeof *sites);
}

/* The first of the set. Notes on neighbours are neighbours. A note on a strip, a line, a half or a
 * byte has a place apart, so a step that divides a cell replaces no note on the whole cell. */
static site *at(uintptr_t address, size_t bytes, bool write) {
    uintptr_t apart = bytes == 8 ? 0 : (bytes + address % 8 * 3) * 0x9E3B;
    apart += (address >> SVS__ADDRESS_BITS) * 0xC2B3; /* separates atomic accesses (spd3.h) */
    uintptr_t number = bytes == 512 ? address / 512 : bytes == 64 ? address / 64 : address / 8;
    return &sites[((number + apart) * 2 + write) % SETS];
}

void svs__site_fetch(uintptr_t address, size_t bytes, bool write) {
    __builtin_prefetch(at(address, bytes, write), 1);
}

/* Sixteen bits that tell whether both words belong together, and to this address: what comes from
 * the one changes nothing of what comes from the other. */
static uint64_t check_of(uintptr_t address, uint64_t whence) {
    return ((uint64_t)address * 0x9E3779B97F4A7C15u ^ whence * 0xC2B2AE3D27D4EB4Fu) >> 48;
}

/* relaxed, all: the reader sees whether both belong together. */
static svs__site_note read_at(const site *s) {
    return (svs__site_note){svs__load_relaxed(&s->where), svs__load_relaxed(&s->whence)};
}

static bool is_at(svs__site_note note, uintptr_t address) {
    return (note.where & 0xffff) == check_of(address, note.whence);
}

static void write_at(site *s, svs__site_note note) {
    svs__store_relaxed(&s->where, note.where);
    svs__store_relaxed(&s->whence, note.whence);
}

/* The note of another address moves to the second place of the set. @return what is lost. */
static svs__site_note make_room(site *s, uintptr_t address) {
    svs__site_note first = read_at(s), second;
    if (first.whence == 0 || is_at(first, address)) return first;
    second = read_at(s + SETS);
    write_at(s + SETS, first);
    return second;
}

svs__site_note svs__site_take(uintptr_t address, size_t bytes, uint32_t step, bool write,
                              const void *pc, uint32_t frame) {
    site *s = at(address, bytes, write);
    uint64_t whence = (uint64_t)step << 32 | frame;
    svs__site_note replaced = make_room(s, address);
    write_at(s,
             (svs__site_note){(uint64_t)(uintptr_t)pc << 16 | check_of(address, whence), whence});
    return replaced;
}

/* Is this the step's note on its access there? */
static bool is_of(svs__site_note note, uintptr_t address, uint32_t step, const void **pc,
                  uint32_t *frame) {
    if (note.whence >> 32 != step || !is_at(note, address)) return false;
    *pc = (const void *)(uintptr_t)(note.where >> 16);
    *frame = (uint32_t)note.whence;
    return true;
}

static void rename_at(site *s, svs__site_name *name, void *argument) {
    svs__site_note note = read_at(s);
    uint64_t step = note.whence >> 32, named = name((uint32_t)step, argument);
    uint64_t whence = named << 32 | (uint32_t)note.whence;
    uint64_t where = note.where ^ check_of(0, note.whence) ^ check_of(0, whence);
    /* relaxed, both: as ever; and only if no thread has taken the place meanwhile. */
    if (named != step && svs__cas_strong_relaxed(&s->whence, &note.whence, whence))
        (void)svs__cas_strong_relaxed(&s->where, &note.where, where);
}

void svs__sites_rename(svs__site_name *name, void *argument) {
    for (size_t i = 0; i < SITES; i++) /* relaxed: most places have never been taken. */
        if (svs__load_relaxed(&sites[i].whence) != 0) rename_at(&sites[i], name, argument);
}

/* Notes are made when the cell is that of the byte, a half, the block, the line or the strip. */
static bool find(uintptr_t address, uint32_t step, bool write, const svs__site_note *replaced,
                 const void **pc, uint32_t *frame) {
    static const uint16_t sizes[] = {1, 4, 8, 64, 512};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uintptr_t begin = address & ~(uintptr_t)(sizes[i] - 1);
        const site *s = at(begin, sizes[i], write);
        if (is_of(read_at(s), begin, step, pc, frame) ||
            is_of(read_at(s + SETS), begin, step, pc, frame))
            return true;
    }
    return is_of(*replaced, address, step, pc, frame);
}

bool svs__site_find(uintptr_t address, uint32_t step, bool write, const svs__site_note *replaced,
                    const void **pc, uint32_t *frame) {
    for (; step != 0; step = svs__tree_node(&svs__the_checker.tree, step)->parent)
        if (find(address, step, write, replaced, pc, frame)) return true;
    return false;
}
