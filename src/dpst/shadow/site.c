#include "base/pages.h"
#include "dpst/shadow/shadow.h"
#include "dpst/tree/checker.h"
#include <string.h>

/* A note in two words: pc << 16 | check; step << 32 | frame. */
typedef struct site {
    _Atomic(uint64_t) where, whence;
} site;

/* The table has sets of two notes. Its first half holds the last note of each set; its second half
 * holds the note before, which is of another address. With one note in each set, one access could
 * soon hide the site of another. */
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

/* The place of the first note of the set. Notes on neighbouring addresses are neighbours. Notes on
 * strips, lines, halves and bytes have other places than those on blocks, so a step that divides a
 * cell replaces no note on the whole cell. */
static site *at(uintptr_t address, size_t bytes, bool write) {
    uintptr_t apart = bytes == 8 ? 0 : (bytes + address % 8 * 3) * 0x9E3B;
    apart += (address >> SVS__ADDRESS_BITS) * 0xC2B3; /* separates atomic accesses (spd3.h) */
    uintptr_t number = bytes == 512 ? address / 512 : bytes == 64 ? address / 64 : address / 8;
    return &sites[((number + apart) * 2 + write) % SETS];
}

void svs__site_fetch(uintptr_t address, size_t bytes, bool write) {
    __builtin_prefetch(at(address, bytes, write), 1);
}

/* Sixteen bits that tell whether the two words belong together, and to this address. Each word
 * contributes to them independently of the other. */
static uint64_t check_of(uintptr_t address, uint64_t whence) {
    return ((uint64_t)address * 0x9E3779B97F4A7C15u ^ whence * 0xC2B2AE3D27D4EB4Fu) >> 48;
}

/* relaxed is enough, here and below: the reader checks whether the words belong together. */
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

/* Moves a note of another address to the second place of the set. @return the note that is lost. */
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

/* Is the note about the step's access to this address? */
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
    /* relaxed is enough, here and below, as for all notes. A note is changed only if no other
     * thread has replaced it. */
    if (named != step && svs__cas_strong_relaxed(&s->whence, &note.whence, whence))
        (void)svs__cas_strong_relaxed(&s->where, &note.where, where);
}

void svs__sites_rename(svs__site_name *name, void *argument) {
    /* relaxed is enough: a test that skips places without a note, which are most. */
    for (size_t i = 0; i < SITES; i++)
        if (svs__load_relaxed(&sites[i].whence) != 0) rename_at(&sites[i], name, argument);
}

/* Searches the notes on a byte, and on the half, the block, the line and the strip around it: a
 * note is made for the cell that an access used. */
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
